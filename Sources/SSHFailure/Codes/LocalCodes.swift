import ErrorCore

// Codes for the local side: usage, configuration, cancellation, bugs.

extension SSHFailureCodes {
    /// The run was cancelled.
    public static var localCancelled: SSHError.Code {
        .init(
            "ssh.local.cancelled",
            .init(
                .cancelled, .cancelled, retry: .never, exit: .cancelled,
                title: "Cancelled",
                meaning: "The run was cancelled.",
                remedy: "None, unless the command may have run: then check on the server.",
                example: "Ctrl-C"))
    }

    /// An option or argument is wrong.
    public static var localUsage: SSHError.Code {
        .init(
            "ssh.local.usage",
            .init(
                .validationError, .validation, retry: .never, exit: .localFailure,
                title: "Wrong Usage",
                meaning: "An option or argument is wrong.",
                remedy: """
                    See \(commandLine: "\(run: "bridge-ssh run --help"), or the help of the subcommand", library: .documentation).
                    """,
                example: "an option that does not exist; in another client's output, an `ssh` that is not installed"))
    }

    /// No connection of a pool became free in time.
    public static var localPoolTimedOut: SSHError.Code {
        .init(
            "ssh.local.pool-timed-out",
            .init(
                .sshTimeout, .server, retry: .backoff(), exit: .timedOut,
                title: "Pool Timed Out",
                meaning: "No connection of a pool became free in time.",
                remedy: "Allow the pool more connections, or return them sooner.",
                example: "four connections, all of whose channels run long commands"))
    }

    /// Standard output of this process cannot be written.
    public static var localOutputFailed: SSHError.Code {
        .init(
            "ssh.local.output-failed",
            .init(
                .fileWriteError, .file, retry: .afterFix, exit: .localFailure,
                title: "Output Not Written",
                meaning: "Standard output of this process cannot be written.",
                remedy: "Free space on the output's file system, or send the output elsewhere. The command has run.",
                example: "a full disk"))
    }

    /// A configuration file is invalid.
    public static var localConfigInvalid: SSHError.Code {
        .init(
            "ssh.local.config-invalid",
            .init(
                .validationError, .validation, retry: .never, exit: .localFailure,
                title: "Invalid Configuration",
                meaning: "A configuration file is invalid.",
                remedy: "Correct the line, or \(.withoutConfiguration).",
                example: "a keyword without a value"))
    }

    /// A setting requires something that libssh2 cannot do.
    public static var localUnsupported: SSHError.Code {
        .init(
            "ssh.local.unsupported",
            .init(
                .featureUnavailable, .validation, retry: .never, exit: .localFailure,
                title: "Not Supported by libssh2",
                meaning: "A setting requires something that libssh2 cannot do.",
                remedy: "\(commandLine: "Use \(option: .via, "ssh"), or change", library: "Change") the setting.",
                example: "a Ciphers list without a cipher that libssh2 supports"))
    }

    /// ssh's configuration refuses connections to the host.
    public static var localRefusedByConfig: SSHError.Code {
        .init(
            "ssh.local.refused-by-config",
            .init(
                .sshConnectionFailed, .validation, retry: .never, exit: .localFailure,
                title: "Refused by Configuration",
                meaning: "ssh's configuration refuses connections to the host.",
                remedy: "Follow the instructions in the line, or remove RefuseConnection.",
                example: "`RefuseConnection \"use the new host, web2\"`"))
    }

    /// The program used a connection, a command or an SFTP client after it had ended.
    public static var localClosed: SSHError.Code {
        .init(
            "ssh.local.closed",
            .init(
                .internalError, .internal, retry: .never, exit: .localFailure,
                title: "Used After Its End",
                meaning: "The program used a connection, a command or an SFTP client after it had ended.",
                remedy: "Correct the program: use borrowed objects only inside their closure, a connection only until close().",
                example: "a connection that was stored in a variable outside of withConnection's closure"))
    }

    /// The SSH library was misused or ran out of resources.
    public static var localLibraryFailure: SSHError.Code {
        .init(
            "ssh.local.library-failure",
            .init(
                .internalError, .internal, retry: .never, exit: .localFailure,
                title: "Internal Failure",
                meaning: "The SSH library was misused or ran out of resources.",
                remedy: "Report it with \(.allThatIsKnown).",
                example: "a bug, or no memory"))
    }
}
