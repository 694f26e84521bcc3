import ErrorCore

// Codes for channels and established sessions.

extension SSHFailureCodes {
    /// The server allows no further session on this connection.
    public static var channelSessionLimit: SSHError.Code {
        .init(
            "ssh.channel.session-limit",
            .init(
                .sshConnectionFailed, .server, severity: .warning, retry: .backoff(),
                exit: .sessionFailure,
                title: "Session Limit Reached",
                meaning: "The server allows no further session on this connection.",
                remedy: "Wait for other commands; \(setting: "MaxSessions") sets the limit.",
                example: "MaxSessions 10 and eleven commands"))
    }

    /// The server's settings prohibit this.
    public static var channelProhibited: SSHError.Code {
        .init(
            "ssh.channel.prohibited",
            .init(
                .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
                title: "Session Prohibited",
                meaning: "The server's settings prohibit this.",
                remedy: "Ask the administrator (\(setting: "AllowTcpForwarding"), authorized_keys).",
                example: "a forwarding-only account"))
    }

    /// A jump host could not reach the next hop.
    public static var channelJumpTargetUnreachable: SSHError.Code {
        .init(
            "ssh.channel.jump-target-unreachable",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .unreachable,
                title: "Next Hop Unreachable",
                meaning: "A jump host could not reach the next hop.",
                remedy: "Log in to the jump host and try from there.",
                example: "a jump host that cannot resolve the next"))
    }

    /// The server refused to start the command.
    public static var channelExecDenied: SSHError.Code {
        .init(
            "ssh.channel.exec-denied",
            .init(
                .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
                title: "Command Refused",
                meaning: "The server refused to start the command.",
                remedy: """
                    For a device that offers only a shell use \(option: .shell, nil, .mayBeWrong); otherwise use another account.
                    """,
                example: "a router's SSH server"))
    }

    /// The shell showed no known prompt, so the command was not sent.
    public static var channelPromptMissing: SSHError.Code {
        .init(
            "ssh.channel.prompt-missing",
            .init(
                .sshConnectionFailed, .server, retry: .afterFix, exit: .sessionFailure,
                title: "Prompt Not Found",
                meaning: "The shell showed no known prompt, so the command was not sent.",
                remedy: "Describe the prompt: \(option: .prompt, "REGEX").",
                example: "--shell and a device with a prompt of its own"))
    }

    /// The server refused to allocate a terminal.
    public static var channelPTYDenied: SSHError.Code {
        .init(
            "ssh.channel.pty-denied",
            .init(
                .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
                title: "Terminal Refused",
                meaning: "The server refused to allocate a terminal.",
                remedy: "\(.withoutTerminal).",
                example: "no-pty in authorized_keys"))
    }

    /// The server does not have the subsystem.
    public static var channelSubsystemMissing: SSHError.Code {
        .init(
            "ssh.channel.subsystem-missing",
            .init(
                .sshConnectionFailed, .server, retry: .never, exit: .sessionFailure,
                title: "Subsystem Missing",
                meaning: "The server does not have the subsystem.",
                remedy: "Add it to sshd_config; for files: \(line: "Subsystem sftp internal-sftp").",
                example: "sftp where no sftp-server is configured"))
    }

    /// The deadline passed while a session was being opened.
    public static var channelTimedOut: SSHError.Code {
        .init(
            "ssh.channel.timed-out",
            .init(
                .sshTimeout, .server, retry: .backoff(), exit: .timedOut,
                title: "Session Timed Out",
                meaning: "The deadline passed while a session was being opened.",
                remedy: "Look at the server's load and its login scripts.",
                example: "a PAM session module that hangs"))
    }

    /// The connection was lost before the command's end was known.
    public static var sessionConnectionLost: SSHError.Code {
        .init(
            "ssh.session.connection-lost",
            .init(
                .sshConnectionFailed, .network, retry: .backoff(), exit: .sessionFailure,
                title: "Connection Lost",
                meaning: "The connection was lost before the command's end was known.",
                remedy: "Check on the server whether the command ran before you run it again.",
                example: "a reboot, a lost VPN"))
    }

    /// The server stopped answering.
    public static var sessionKeepaliveTimedOut: SSHError.Code {
        .init(
            "ssh.session.keepalive-timed-out",
            .init(
                .sshTimeout, .network, retry: .backoff(), exit: .timedOut,
                title: "Server Not Responding",
                meaning: "The server stopped answering.",
                remedy: "Check on the server whether the command still runs.",
                example: "a laptop that was asleep"))
    }

    /// The server ended the session with a message.
    public static var sessionDisconnected: SSHError.Code {
        .init(
            "ssh.session.disconnected",
            .init(
                .sshConnectionFailed, .server, retry: .backoff(), exit: .sessionFailure,
                title: "Disconnected By Server",
                meaning: "The server ended the session with a message.",
                remedy: "Act on the server's message.",
                example: "a server that shuts down"))
    }

    /// Corrupt data was received in an established session.
    public static var sessionProtocolError: SSHError.Code {
        .init(
            "ssh.session.protocol-error",
            .init(
                .sshConnectionFailed, .protocol, retry: .backoff(), exit: .sessionFailure,
                title: "Session Corrupted",
                meaning: "Corrupt data was received in an established session.",
                remedy: "Check whether the command ran; try another network.",
                example: "faulty hardware on the path"))
    }
}
