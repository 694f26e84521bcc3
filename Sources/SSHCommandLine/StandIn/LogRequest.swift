import BridgeSSH

/// The log settings that bridge-ssh adds to a call of ssh. They must not change ssh's behaviour for the caller.
///
/// ssh's behaviour depends on its log level: below INFO it shows no banner of the server, does not report that the connection
/// is closed, and does not update known host keys (sshconnect2.c: input_userauth_banner; clientloop.c: client_loop; ssh.c:
/// main). So bridge-ssh never raises the level from below INFO. It never adds `-v`, which, unlike `LogLevel`, also changes how
/// ssh treats other programs' standard error (sshconnect.c: ssh_proxy_connect).
struct LogRequest: Sendable {
    /// The way in which ssh is made to log more than its caller requested.
    enum Method: Sendable, Equatable {
        /// By `LogLevel`, if the caller's level is INFO or higher.
        case level(SSHLogLevel)
        /// By `LogVerbose`, which adds messages to a quiet log, since 8.5.
        case forced
        /// No additions: the log has only the messages of the caller's level.
        case plain
    }

    let method: Method
    /// Whether LogVerbose is used, also in addition to a level.
    let usesLogVerbose: Bool
    /// The caller's own level.
    let level: SSHLogLevel

    init(level: SSHLogLevel, knowsLogVerbose: Bool) {
        self.level = level
        usesLogVerbose = knowsLogVerbose && (level >= .info || level == .quiet)
        method =
            if level >= .info { .level(max(level, .debug1)) } else if usesLogVerbose { .forced } else { .plain }
    }

    /// The options to put before the caller's.
    var options: [String] {
        switch method {
        case .level(let level):
            ["-o", "LogLevel=\(level.name)"] + (usesLogVerbose ? ["-o", "LogVerbose=\(Self.added.joined(separator: ","))"] : [])
        case .forced: ["-o", "LogVerbose=\(Self.loggedSources.joined(separator: ","))"]
        case .plain: []
        }
    }

    /// Messages that level DEBUG1 lacks: the exit status over a shared connection, that the server runs the command, that it
    /// closed the session's channel, that the reader of the output has gone, that the input has ended, that a passphrase was
    /// wrong, and that a banner came (without its text).
    private static let added = [
        "mux.c:mux_client_request_session*", "clientloop.c:client_status_confirm*", "nchan.c:chan_rcvd_oclose*",
        "nchan.c:chan_write_failed*", "nchan.c:chan_read_failed*", "sshconnect2.c:load_identity_file*",
        "sshconnect2.c:input_userauth_banner*",
    ]

    /// The source files whose messages LogVerbose requests at any level, without those that log every packet.
    private static let loggedSources = [
        "ssh.c:*", "sshconnect.c:*", "sshconnect2.c:*", "kex.c:*", "kexgen.c:*", "clientloop.c:*", "mux.c:*", "readpass.c:*",
        "readconf.c:*", "nchan.c:chan_rcvd_oclose*", "nchan.c:chan_write_failed*", "nchan.c:chan_read_failed*", "authfile.c:*",
        "authfd.c:*", "hostfile.c:*", "dispatch.c:*", "packet.c:sshpkt_vfatal*", "packet.c:ssh_packet_read_poll_seqnr*",
        "packet.c:ssh_packet_disconnect*",
    ]

    /// A message without the tag that LogVerbose adds: `kex.c:kex_input_kexinit():600 (pid=7): text` (log.c: sshlogv).
    static func withoutTag(_ line: String) -> String {
        var lead = ""
        var tail = line[...]
        for debug in ["debug1: ", "debug2: ", "debug3: "] where tail.hasPrefix(debug) {
            lead = debug
            tail = tail.dropFirst(debug.count)
        }
        let rest = String(tail)
        guard let file = rest.firstPlace(of: ".c:"), let open = rest.firstPlace(of: "():"), file.upperBound < open.lowerBound,
            let pid = rest.firstPlace(of: "pid="), let close = rest.firstPlace(of: "): "), pid.upperBound < close.lowerBound
        else { return line }
        let function = rest[file.upperBound..<open.lowerBound]
        let text = rest[close.upperBound...]
        // Messages of error_f and similar functions start with the function's name if there is no tag.
        let isNamed =
            named.contains(String(function)) && !text.hasPrefix(function) && !unnamed.contains { text.hasPrefix($0) }
        return lead + (isNamed ? function + ": " : "") + text
    }

    private static let named: Set<String> = [
        "kex_exchange_identification", "mux_client_request_session", "sign_and_send_pubkey", "send_pubkey_test",
        "ssh_dispatch_run_fatal", "read_passphrase", "input_userauth_banner",
    ]
    /// Messages of these functions that do not start with the name.
    private static let unnamed = [
        "Master refused session request: ", "Exiting on signal: ", "Control master terminated unexpectedly",
        "Received exit status from master ",
    ]
}

/// Whether ssh's configuration files mention the log settings. Most files do not. If one does, `ssh -G` has to show the
/// settings for this call, because a file may restrict them to some hosts.
struct ConfiguredLog {
    private(set) var mentionsLevel = false
    private(set) var mentionsLogVerbose = false
    private(set) var asksAboutHostKeys = false
    private var filesLeft = 64

    /// - Parameter file: the value of `-F`; nil without it.
    init(_ file: String?) {
        let home = getpwuid(getuid()).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) } ?? ""
        let user = home + "/.ssh/"
        switch file {
        case "none"?: break
        case let file?: read(file, relativeTo: user, home: home)
        case nil:
            read(user + "config", relativeTo: user, home: home)
            read("/etc/ssh/ssh_config", relativeTo: "/etc/ssh/", home: home)
        }
    }

    private mutating func read(_ path: String, relativeTo folder: String, home: String) {
        guard filesLeft > 0, let text = Self.content(of: path) else { return }
        filesLeft -= 1
        for line in text.split(separator: "\n") {
            let words = line.split(maxSplits: 8) { " \t=\"\r".contains($0) }
            guard let keyword = words.first?.lowercased() else { continue }
            switch keyword {
            case "loglevel": mentionsLevel = true
            case "logverbose": mentionsLogVerbose = true
            case "updatehostkeys": asksAboutHostKeys = asksAboutHostKeys || words.last?.lowercased() == "ask"
            case "include":
                for pattern in words.dropFirst() {
                    for file in Self.files(String(pattern), relativeTo: folder, home: home) {
                        read(file, relativeTo: folder, home: home)
                    }
                }
            default: break
            }
        }
    }

    /// The content of a file; nil for one that is too large.
    private static func content(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < 1 << 20 {
            let count = piece.withUnsafeMutableBytes { readBytes(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func files(_ pattern: String, relativeTo folder: String, home: String) -> [String] {
        let path = pattern.hasPrefix("~/") ? home + pattern.dropFirst() : pattern.hasPrefix("/") ? pattern : folder + pattern
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(path, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}

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

    /// Written without reflection, whose first use in a process takes longer than the whole call of ssh.
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
