import ErrorCore

// Failures of channels and of established sessions.

extension SSHError.Code {
    /// The server allows no further session on this connection.
    public static let channelSessionLimit = Self(
        "ssh.channel.session-limit", .sshConnectionFailed, .server, severity: .warning, retry: .backoff(),
        exit: .sessionFailure,
        title: "Session Limit Reached",
        meaning: "The server allows no further session on this connection.",
        remedy: "Wait for other commands; MaxSessions sets the limit.",
        example: "MaxSessions 10 and eleven commands")

    /// The server's settings prohibit this.
    public static let channelProhibited = Self(
        "ssh.channel.prohibited", .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
        title: "Session Prohibited",
        meaning: "The server's settings prohibit this.",
        remedy: "Ask the administrator (AllowTcpForwarding, authorized_keys).",
        example: "a forwarding-only account")

    /// A jump host could not reach the next hop.
    public static let channelJumpTargetUnreachable = Self(
        "ssh.channel.jump-target-unreachable", .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
        title: "Next Hop Unreachable",
        meaning: "A jump host could not reach the next hop.",
        remedy: "Log in to the jump host and try from there.",
        example: "a jump host that cannot resolve the next")

    /// The server refused to start the command.
    public static let channelExecDenied = Self(
        "ssh.channel.exec-denied", .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
        title: "Command Refused",
        meaning: "The server refused to start the command.",
        remedy: "Use another account; some devices run no commands.",
        example: "a router's SSH server")

    /// The server refused to allocate a terminal.
    public static let channelPTYDenied = Self(
        "ssh.channel.pty-denied", .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
        title: "Terminal Refused",
        meaning: "The server refused to allocate a terminal.",
        remedy: "Run without --tty.",
        example: "no-pty in authorized_keys")

    /// The server does not have the subsystem.
    public static let channelSubsystemMissing = Self(
        "ssh.channel.subsystem-missing", .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
        title: "Subsystem Missing",
        meaning: "The server does not have the subsystem.",
        remedy: "Add it to sshd_config; for files: `Subsystem sftp internal-sftp`.",
        example: "sftp where no sftp-server is configured")

    /// The deadline passed while a session was being opened.
    public static let channelTimedOut = Self(
        "ssh.channel.timed-out", .sshTimeout, .server, retry: .backoff(), exit: .timedOut,
        title: "Session Timed Out",
        meaning: "The deadline passed while a session was being opened.",
        remedy: "Look at the server's load and its login scripts.",
        example: "a PAM session module that hangs")

    /// The connection was lost before the command's end was known.
    public static let sessionConnectionLost = Self(
        "ssh.session.connection-lost", .sshConnectionFailed, .network, retry: .backoff(), exit: .sessionFailure,
        title: "Connection Lost",
        meaning: "The connection was lost before the command's end was known.",
        remedy: "Check on the server whether the command ran before you run it again.",
        example: "a reboot, a lost VPN")

    /// The server stopped answering.
    public static let sessionKeepaliveTimedOut = Self(
        "ssh.session.keepalive-timed-out", .sshTimeout, .network, retry: .backoff(), exit: .timedOut,
        title: "Server Not Responding",
        meaning: "The server stopped answering.",
        remedy: "Check on the server whether the command still runs.",
        example: "a laptop that was asleep")

    /// The server ended the session with a message.
    public static let sessionDisconnected = Self(
        "ssh.session.disconnected", .sshConnectionFailed, .server, retry: .backoff(), exit: .sessionFailure,
        title: "Disconnected By Server",
        meaning: "The server ended the session with a message.",
        remedy: "Act on the server's message.",
        example: "a server that shuts down")

    /// Corrupt data was received in an established session.
    public static let sessionProtocolError = Self(
        "ssh.session.protocol-error", .sshConnectionFailed, .protocol, retry: .backoff(), exit: .sessionFailure,
        title: "Session Corrupted",
        meaning: "Corrupt data was received in an established session.",
        remedy: "Check whether the command ran; try another network.",
        example: "faulty hardware on the path")
}
