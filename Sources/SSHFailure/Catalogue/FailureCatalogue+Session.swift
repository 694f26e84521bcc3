import ErrorCore

extension FailureCatalogue {
    /// Failures of sessions, commands and this side.
    static let sessionRows: [Row] = [
        Row(
            .channelSessionLimit, .sshConnectionFailed, .channel, .server, .warning, .backoff(), .sessionFailure,
            "Session Limit Reached", "The server allows no further session on this connection."),
        Row(
            .channelProhibited, .sshConnectionFailed, .channel, .server, .error, .never, .sessionFailure,
            "Session Prohibited", "The server's administrator has forbidden this."),
        Row(
            .channelJumpTargetUnreachable, .sshConnectionFailed, .channel, .network, .error, .backoff(), .sessionFailure,
            "Next Hop Unreachable", "A jump host could not reach the next hop."),
        Row(
            .channelExecDenied, .sshConnectionFailed, .channel, .server, .error, .never, .sessionFailure,
            "Command Refused", "The server refused to start the command."),
        Row(
            .channelPTYDenied, .sshConnectionFailed, .channel, .server, .error, .never, .sessionFailure,
            "Terminal Refused", "The server refused to allocate a terminal."),
        Row(
            .channelSubsystemMissing, .sshConnectionFailed, .channel, .server, .error, .never, .sessionFailure,
            "Subsystem Missing", "The server does not have the subsystem."),
        Row(
            .channelTimedOut, .sshTimeout, .channel, .server, .error, .backoff(), .timedOut,
            "Session Timed Out", "The deadline passed while a session was being opened."),
        Row(
            .sessionConnectionLost, .sshConnectionFailed, .session, .network, .error, .backoff(), .sessionFailure,
            "Connection Lost", "The connection ended before the command's end was known."),
        Row(
            .sessionKeepaliveTimedOut, .sshTimeout, .session, .network, .error, .backoff(), .timedOut,
            "Server Not Responding", "The server stopped answering."),
        Row(
            .sessionDisconnected, .sshConnectionFailed, .session, .server, .error, .backoff(), .sessionFailure,
            "Disconnected By Server", "The server ended the session with a message."),
        Row(
            .sessionProtocolError, .sshConnectionFailed, .session, .protocol, .error, .backoff(), .sessionFailure,
            "Session Corrupted", "Corrupt data came in an established session."),
        Row(
            .commandExitNonzero, .sshCommandFailed, .command, .command, .error, .afterFix, .sessionFailure,
            "Command Failed", "The command ran and reported a failure."),
        Row(
            .commandNotFound, .sshCommandFailed, .command, .command, .error, .afterFix, .sessionFailure,
            "Command Not Found", "The remote shell did not find the command."),
        Row(
            .commandNotExecutable, .sshCommandFailed, .command, .command, .error, .afterFix, .sessionFailure,
            "Command Not Executable", "The remote shell found the command but could not run it."),
        Row(
            .commandKilledBySignal, .sshCommandFailed, .command, .command, .error, .afterFix, .sessionFailure,
            "Command Killed", "A signal ended the command."),
        Row(
            .commandTimedOut, .sshTimeout, .command, .command, .error, .backoff(), .timedOut,
            "Command Timed Out", "The command did not end by the deadline."),
        Row(
            .commandIdleTimedOut, .sshTimeout, .command, .command, .error, .backoff(), .timedOut,
            "Command Went Quiet", "The command wrote nothing for too long."),
        Row(
            .commandOutcomeUnknown, .sshCommandFailed, .command, .command, .error, .never, .sessionFailure,
            "Outcome Unknown", "The command's channel closed with neither a status nor a signal."),
        Row(
            .commandLoginShellDenied, .sshCommandFailed, .command, .command, .error, .never, .sessionFailure,
            "Account Runs No Commands", "The account may log in but not run commands."),
        Row(
            .commandOutputLimitExceeded, .sshCommandFailed, .command, .command, .error, .afterFix, .sessionFailure,
            "Too Much Output", "The command wrote more than may be collected."),
        Row(
            .localCancelled, .cancelled, .local, .cancelled, .error, .never, .cancelled,
            "Cancelled", "The run was cancelled."),
        Row(
            .localUsage, .validationError, .local, .validation, .error, .never, .localFailure,
            "Wrong Usage", "An option or argument is wrong."),
        Row(
            .localOutputFailed, .fileWriteError, .local, .file, .error, .afterFix, .localFailure,
            "Output Not Written", "Standard output of this process cannot be written."),
        Row(
            .localConfigInvalid, .validationError, .local, .validation, .error, .never, .localFailure,
            "Invalid Configuration", "A configuration file is wrong."),
        Row(
            .localLibraryFailure, .internalError, .local, .internal, .error, .never, .localFailure,
            "Internal Failure", "The SSH library was misused or out of resources."),
    ]
}
