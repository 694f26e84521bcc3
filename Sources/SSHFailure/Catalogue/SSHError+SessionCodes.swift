extension SSHError.Code {
    /// The server allows no further session on this connection.
    public static let channelSessionLimit = Self(rawValue: "ssh.channel.session-limit")
    /// The server's administrator has forbidden this.
    public static let channelProhibited = Self(rawValue: "ssh.channel.prohibited")
    /// A jump host could not reach the next hop.
    public static let channelJumpTargetUnreachable = Self(rawValue: "ssh.channel.jump-target-unreachable")
    /// The server refused to start the command.
    public static let channelExecDenied = Self(rawValue: "ssh.channel.exec-denied")
    /// The server refused to allocate a terminal.
    public static let channelPTYDenied = Self(rawValue: "ssh.channel.pty-denied")
    /// The server does not have the subsystem.
    public static let channelSubsystemMissing = Self(rawValue: "ssh.channel.subsystem-missing")
    /// The deadline passed while a session was being opened.
    public static let channelTimedOut = Self(rawValue: "ssh.channel.timed-out")
    /// The connection ended before the command's end was known.
    public static let sessionConnectionLost = Self(rawValue: "ssh.session.connection-lost")
    /// The server stopped answering.
    public static let sessionKeepaliveTimedOut = Self(rawValue: "ssh.session.keepalive-timed-out")
    /// The server ended the session with a message.
    public static let sessionDisconnected = Self(rawValue: "ssh.session.disconnected")
    /// Corrupt data came in an established session.
    public static let sessionProtocolError = Self(rawValue: "ssh.session.protocol-error")
    /// The command ran and reported a failure.
    public static let commandExitNonzero = Self(rawValue: "ssh.command.exit-nonzero")
    /// The remote shell did not find the command.
    public static let commandNotFound = Self(rawValue: "ssh.command.not-found")
    /// The remote shell found the command but could not run it.
    public static let commandNotExecutable = Self(rawValue: "ssh.command.not-executable")
    /// A signal ended the command.
    public static let commandKilledBySignal = Self(rawValue: "ssh.command.killed-by-signal")
    /// The command did not end by the deadline.
    public static let commandTimedOut = Self(rawValue: "ssh.command.timed-out")
    /// The command wrote nothing for too long.
    public static let commandIdleTimedOut = Self(rawValue: "ssh.command.idle-timed-out")
    /// The command's channel closed with neither a status nor a signal.
    public static let commandOutcomeUnknown = Self(rawValue: "ssh.command.outcome-unknown")
    /// The account may log in but not run commands.
    public static let commandLoginShellDenied = Self(rawValue: "ssh.command.login-shell-denied")
    /// The command wrote more than may be collected.
    public static let commandOutputLimitExceeded = Self(rawValue: "ssh.command.output-limit-exceeded")
    /// The run was cancelled.
    public static let localCancelled = Self(rawValue: "ssh.local.cancelled")
    /// An option or argument is wrong.
    public static let localUsage = Self(rawValue: "ssh.local.usage")
    /// Standard output of this process cannot be written.
    public static let localOutputFailed = Self(rawValue: "ssh.local.output-failed")
    /// A configuration file is wrong.
    public static let localConfigInvalid = Self(rawValue: "ssh.local.config-invalid")
    /// The SSH library was misused or out of resources.
    public static let localLibraryFailure = Self(rawValue: "ssh.local.library-failure")
}

extension SSHError {
    // The same codes for `catch SSHError.channelSessionLimit`.

    /// Matches `ssh.channel.session-limit` in a `catch`.
    public static var channelSessionLimit: Code { .channelSessionLimit }
    /// Matches `ssh.channel.prohibited` in a `catch`.
    public static var channelProhibited: Code { .channelProhibited }
    /// Matches `ssh.channel.jump-target-unreachable` in a `catch`.
    public static var channelJumpTargetUnreachable: Code { .channelJumpTargetUnreachable }
    /// Matches `ssh.channel.exec-denied` in a `catch`.
    public static var channelExecDenied: Code { .channelExecDenied }
    /// Matches `ssh.channel.pty-denied` in a `catch`.
    public static var channelPTYDenied: Code { .channelPTYDenied }
    /// Matches `ssh.channel.subsystem-missing` in a `catch`.
    public static var channelSubsystemMissing: Code { .channelSubsystemMissing }
    /// Matches `ssh.channel.timed-out` in a `catch`.
    public static var channelTimedOut: Code { .channelTimedOut }
    /// Matches `ssh.session.connection-lost` in a `catch`.
    public static var sessionConnectionLost: Code { .sessionConnectionLost }
    /// Matches `ssh.session.keepalive-timed-out` in a `catch`.
    public static var sessionKeepaliveTimedOut: Code { .sessionKeepaliveTimedOut }
    /// Matches `ssh.session.disconnected` in a `catch`.
    public static var sessionDisconnected: Code { .sessionDisconnected }
    /// Matches `ssh.session.protocol-error` in a `catch`.
    public static var sessionProtocolError: Code { .sessionProtocolError }
    /// Matches `ssh.command.exit-nonzero` in a `catch`.
    public static var commandExitNonzero: Code { .commandExitNonzero }
    /// Matches `ssh.command.not-found` in a `catch`.
    public static var commandNotFound: Code { .commandNotFound }
    /// Matches `ssh.command.not-executable` in a `catch`.
    public static var commandNotExecutable: Code { .commandNotExecutable }
    /// Matches `ssh.command.killed-by-signal` in a `catch`.
    public static var commandKilledBySignal: Code { .commandKilledBySignal }
    /// Matches `ssh.command.timed-out` in a `catch`.
    public static var commandTimedOut: Code { .commandTimedOut }
    /// Matches `ssh.command.idle-timed-out` in a `catch`.
    public static var commandIdleTimedOut: Code { .commandIdleTimedOut }
    /// Matches `ssh.command.outcome-unknown` in a `catch`.
    public static var commandOutcomeUnknown: Code { .commandOutcomeUnknown }
    /// Matches `ssh.command.login-shell-denied` in a `catch`.
    public static var commandLoginShellDenied: Code { .commandLoginShellDenied }
    /// Matches `ssh.command.output-limit-exceeded` in a `catch`.
    public static var commandOutputLimitExceeded: Code { .commandOutputLimitExceeded }
    /// Matches `ssh.local.cancelled` in a `catch`.
    public static var localCancelled: Code { .localCancelled }
    /// Matches `ssh.local.usage` in a `catch`.
    public static var localUsage: Code { .localUsage }
    /// Matches `ssh.local.output-failed` in a `catch`.
    public static var localOutputFailed: Code { .localOutputFailed }
    /// Matches `ssh.local.config-invalid` in a `catch`.
    public static var localConfigInvalid: Code { .localConfigInvalid }
    /// Matches `ssh.local.library-failure` in a `catch`.
    public static var localLibraryFailure: Code { .localLibraryFailure }
}
