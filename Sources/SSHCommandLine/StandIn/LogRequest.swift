import BridgeSSH

/// What we ask of ssh's log, so that ssh behaves as its caller wants and we learn what it does.
///
/// ssh looks at its own log level elsewhere too: below INFO it shows no banner of the server, does not say that the connection is
/// closed, and leaves known host keys alone (sshconnect2.c: input_userauth_banner; clientloop.c: client_loop; ssh.c: main). So the
/// level is never raised from below INFO. `-v` itself is never given: it also changes what ssh does with other programs' standard
/// error (sshconnect.c: ssh_proxy_connect), while `LogLevel` does not.
struct LogRequest: Sendable {
    /// How ssh is made to tell more than its caller asked for.
    enum Manner: Sendable, Equatable {
        /// `LogLevel`, from INFO up.
        case level(SSHLogLevel)
        /// `LogVerbose`, which adds to a quiet log, since 8.5.
        case forced
        /// Not at all: only what the caller's own level shows is known.
        case plain
    }

    let manner: Manner
    /// Whether LogVerbose is used, beside a level too.
    let usesLogVerbose: Bool
    /// The caller's own level.
    let level: SSHLogLevel

    init(level: SSHLogLevel, knowsLogVerbose: Bool) {
        self.level = level
        usesLogVerbose = knowsLogVerbose && (level >= .info || level == .quiet)
        manner =
            if level >= .info { .level(max(level, .debug1)) } else if usesLogVerbose { .forced } else { .plain }
    }

    /// The options, which come before the caller's.
    var options: [String] {
        switch manner {
        case .level(let level):
            ["-o", "LogLevel=\(level.name)"] + (usesLogVerbose ? ["-o", "LogVerbose=\(Self.added.joined(separator: ","))"] : [])
        case .forced: ["-o", "LogVerbose=\(Self.telling.joined(separator: ","))"]
        case .plain: []
        }
    }

    /// What debug messages of level 1 lack: the status that a kept connection brings, that a server runs the command and that it
    /// closed the session's channel, and whether a passphrase was wrong.
    private static let added = [
        "mux.c:mux_client_request_session*", "clientloop.c:client_status_confirm*", "nchan.c:chan_rcvd_oclose*",
        "sshconnect2.c:load_identity_file*",
    ]

    /// The sources whose messages are asked for with LogVerbose, whatever their level: not those that tell of every packet.
    private static let telling = [
        "ssh.c:*", "sshconnect.c:*", "sshconnect2.c:*", "kex.c:*", "kexgen.c:*", "clientloop.c:*", "mux.c:*", "readpass.c:*",
        "readconf.c:*", "nchan.c:chan_rcvd_oclose*", "authfile.c:*", "authfd.c:*", "hostfile.c:*", "dispatch.c:*",
        "packet.c:sshpkt_vfatal*",
        "packet.c:ssh_packet_read_poll_seqnr*", "packet.c:ssh_packet_disconnect*",
    ]

    /// A message that LogVerbose brought, as it would be without: `kex.c:kex_input_kexinit():600 (pid=7): text` (log.c: sshlogv).
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
        // These name themselves where no tag does (error_f and the like).
        let isNamed =
            named.contains(String(function)) && !text.hasPrefix(function) && !unnamed.contains { text.hasPrefix($0) }
        return lead + (isNamed ? function + ": " : "") + text
    }

    private static let named: Set<String> = [
        "kex_exchange_identification", "mux_client_request_session", "sign_and_send_pubkey", "send_pubkey_test",
        "ssh_dispatch_run_fatal", "read_passphrase",
    ]
    /// Messages of these functions that do not.
    private static let unnamed = [
        "Master refused session request: ", "Exiting on signal: ", "Control master terminated unexpectedly",
        "Received exit status from master ",
    ]
}
