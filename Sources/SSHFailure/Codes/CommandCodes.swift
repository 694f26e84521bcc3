import ErrorCore

// Codes for the remote command.

extension SSHFailureCodes {
    /// The command exited with a non-zero status.
    public static var commandExitNonzero: SSHError.Code {
        .init(
            "ssh.command.exit-nonzero",
            .init(
                .sshCommandFailed, .command, retry: .afterFix, exit: .sessionFailure,
                title: "Command Failed",
                meaning: "The command exited with a non-zero status.",
                remedy: "Its standard error says why, if it says anything; run it on the server by hand.",
                example: "grep without a match"))
    }

    /// The remote shell did not find the command.
    public static var commandNotFound: SSHError.Code {
        .init(
            "ssh.command.not-found",
            .init(
                .sshCommandFailed, .command, retry: .afterFix, exit: .sessionFailure,
                title: "Command Not Found",
                meaning: "The remote shell did not find the command.",
                remedy: "Install it, or give its full path.",
                example: "a program in ~/bin, which is not in the PATH"))
    }

    /// The remote shell found the command but could not run it.
    public static var commandNotExecutable: SSHError.Code {
        .init(
            "ssh.command.not-executable",
            .init(
                .sshCommandFailed, .command, retry: .afterFix, exit: .sessionFailure,
                title: "Command Not Executable",
                meaning: "The remote shell found the command but could not run it.",
                remedy: "Check that it is a program; on the server \(run: "chmod +x FILE", on: .server) makes it executable.",
                example: "a script that is not executable"))
    }

    /// A signal ended the command.
    public static var commandKilledBySignal: SSHError.Code {
        .init(
            "ssh.command.killed-by-signal",
            .init(
                .sshCommandFailed, .command, retry: .afterFix, exit: .sessionFailure,
                title: "Command Killed",
                meaning: "A signal ended the command.",
                remedy: "For KILL: the kernel's log on the server says whether it ran out of memory.",
                example: "out of memory"))
    }

    /// The command did not end by the deadline.
    public static var commandTimedOut: SSHError.Code {
        .init(
            "ssh.command.timed-out",
            .init(
                .sshTimeout, .command, retry: .backoff(), exit: .timedOut,
                title: "Command Timed Out",
                meaning: "The command did not end by the deadline.",
                remedy: "Raise \(setting: .timeout); check whether the command still runs.",
                example: "--timeout 5 sleep 60"))
    }

    /// The command wrote nothing for longer than the idle timeout.
    public static var commandIdleTimedOut: SSHError.Code {
        .init(
            "ssh.command.idle-timed-out",
            .init(
                .sshTimeout, .command, retry: .backoff(), exit: .timedOut,
                title: "Command Idle Too Long",
                meaning: "The command wrote nothing for longer than the idle timeout.",
                remedy: "Raise \(setting: .idleTimeout); check whether the command still runs.",
                example: "a build that prints nothing for minutes"))
    }

    /// The command's channel closed with neither a status nor a signal.
    public static var commandOutcomeUnknown: SSHError.Code {
        .init(
            "ssh.command.outcome-unknown",
            .init(
                .sshCommandFailed, .command, retry: .never, exit: .sessionFailure,
                title: "Outcome Unknown",
                meaning: "The command's channel closed with neither a status nor a signal.",
                remedy: "Check on the server before you run it again.",
                example: "a network device that sends no status"))
    }

    /// A device did not accept the command, or answered it with an error.
    public static var commandRejected: SSHError.Code {
        .init(
            "ssh.command.rejected",
            .init(
                .sshCommandFailed, .command, retry: .afterFix, exit: .sessionFailure,
                title: "Command Rejected",
                meaning: "A device did not accept the command, or answered it with an error.",
                remedy: "Correct the command; the device shows its help for a question mark.",
                example: "--shell and a command that IOS does not know"))
    }

    /// The account may log in but not run commands.
    public static var commandLoginShellDenied: SSHError.Code {
        .init(
            "ssh.command.login-shell-denied",
            .init(
                .sshCommandFailed, .command, retry: .never, exit: .sessionFailure,
                title: "Commands Not Allowed",
                meaning: "The account may log in but not run commands.",
                remedy:
                    "For files use \(.copying), if SFTP is allowed; for commands another account, or another login shell.",
                example: "/usr/sbin/nologin"))
    }

    /// The command wrote more than the limit on collected output.
    public static var commandOutputLimitExceeded: SSHError.Code {
        .init(
            "ssh.command.output-limit-exceeded",
            .init(
                .sshCommandFailed, .command, retry: .afterFix, exit: .sessionFailure,
                title: "Too Much Output",
                meaning: "The command wrote more than the limit on collected output.",
                remedy: """
                    Raise \(setting: .outputLimit), or \(commandLine: "stream without \(setting: .json)", library: .asItComes).
                    """,
                example: "--json and cat of a disk image"))
    }
}
