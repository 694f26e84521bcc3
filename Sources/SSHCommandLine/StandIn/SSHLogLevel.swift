import BridgeSSH

/// OpenSSH's log levels (log.h). ssh writes a message if its level is not higher than the configured one.
enum SSHLogLevel: Int, Sendable, Comparable {
    case quiet, fatal, error, info, verbose, debug1, debug2, debug3

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// A value of LogLevel (log.c: log_levels).
    init?(name: String) {
        let names: [String: Self] = [
            "QUIET": .quiet, "FATAL": .fatal, "ERROR": .error, "INFO": .info, "VERBOSE": .verbose, "DEBUG": .debug1,
            "DEBUG1": .debug1, "DEBUG2": .debug2, "DEBUG3": .debug3,
        ]
        guard let level = names[name.uppercased()] else { return nil }
        self = level
    }

    /// Written out: the first use of reflection in a process takes longer than all else that a call of ssh needs.
    var name: String {
        switch self {
        case .quiet: "QUIET"
        case .fatal: "FATAL"
        case .error: "ERROR"
        case .info: "INFO"
        case .verbose: "VERBOSE"
        case .debug1: "DEBUG1"
        case .debug2: "DEBUG2"
        case .debug3: "DEBUG3"
        }
    }
}

/// The messages of level VERBOSE. A log in a file or on standard error marks only debug messages (log.c: do_log), so messages
/// of level VERBOSE are recognised by their words. All others are written at INFO.
struct SSHLogTable {
    /// One message of level VERBOSE.
    struct Row {
        /// The start of the message.
        let start: String
        /// The place in OpenSSH's source.
        let source: String
        /// The first release that has it at this level; nil for all known releases.
        var since: OpenSSHRelease?
        /// Whether UpdateHostKeys=ask raises it to INFO.
        var isHostKeyNews = false
    }

    static let rows: [Row] = [
        Row(start: "Authenticated to ", source: "sshconnect2.c: ssh_userauth2"),
        Row(start: "Authenticated using \"", source: "sshconnect2.c: input_userauth_failure, with partial success"),
        Row(start: "Transferred: sent ", source: "clientloop.c: client_loop"),
        Row(start: "Bytes per second: sent ", source: "clientloop.c: client_loop"),
        Row(start: "Killed by signal ", source: "clientloop.c: client_loop"),
        Row(start: "Canonicalized DNS aliased hostname \"", source: "ssh.c: check_follow_cname"),
        Row(start: "Rejected X11 connection after ForwardX11Timeout expired", source: "clientloop.c, channels.c"),
        Row(start: "bind [", source: "channels.c: channel_setup_fwd_listener_tcpip"),
        Row(start: "socket [", source: "channels.c: channel_setup_fwd_listener_tcpip"),
        Row(start: "hostkeys_foreach_file: invalid marker at ", source: "hostfile.c"),
        Row(start: "get_hostname: gethostname: ", source: "canohost.c"),
        Row(start: "get_local_name: gethostname: ", source: "canohost.c"),
        Row(start: "Deferring PIN entry to reader keypad.", source: "ssh-pkcs11.c: pkcs11_login_slot"),
        Row(start: "DNS lookup error: ", source: "dns.c: verify_host_key_dns"),
        Row(start: "Error parsing fingerprint from DNS.", source: "dns.c: verify_host_key_dns"),
        Row(
            start: "kex_exchange_identification: Connection closed by remote host",
            source: "kex.c; before 9.5 an error", since: OpenSSHRelease(9, 5)),
        Row(
            start: "kex_exchange_identification: banner line contains invalid characters",
            source: "kex.c; before 9.5 an error", since: OpenSSHRelease(9, 5)),
        Row(
            start: "kex_exchange_identification: banner line too long",
            source: "kex.c; before 9.5 an error", since: OpenSSHRelease(9, 5)),
        Row(
            start: "kex_exchange_identification: client sent invalid protocol identifier ",
            source: "kex.c; before 9.5 an error", since: OpenSSHRelease(9, 5)),
        Row(
            start: "The server has updated its host keys.", source: "clientloop.c: update_known_hosts", isHostKeyNews: true),
        Row(
            start: "These changes were verified by the server's existing trusted key.",
            source: "clientloop.c: update_known_hosts", isHostKeyNews: true),
        Row(start: "Learned new hostkey: ", source: "clientloop.c: update_known_hosts", isHostKeyNews: true),
        Row(start: "Deprecating obsolete hostkey: ", source: "clientloop.c: update_known_hosts", isHostKeyNews: true),
    ]

    /// Messages that begin with a file: `PATH:LINE: Removed ED25519 key for host NAME` and the like (hostfile.c:
    /// hostkeys_foreach callbacks).
    private static let inner = [": Removed ", ": invalid known_hosts entry"]
    private static let added = ["Adding new key for ", "Adding key for "]

    /// Whether a message is of level VERBOSE.
    ///
    /// - Parameters:
    ///   - release: ssh's release, if known.
    ///   - showsHostKeyNews: whether UpdateHostKeys=ask is set.
    static func isVerbose(_ line: String, release: OpenSSHRelease?, showsHostKeyNews: Bool) -> Bool {
        if let row = rows.first(where: { line.hasPrefix($0.start) }) {
            if row.isHostKeyNews { return !showsHostKeyNews }
            guard let since = row.since else { return true }
            return release.map { $0 >= since } ?? true
        }
        if added.contains(where: { line.hasPrefix($0) }), line.contains(" to ") { return true }
        return line.hasPrefix("/") && inner.contains { line.contains($0) }
    }
}
