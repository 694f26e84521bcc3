public import ErrorCore

extension SSHError: AppErrorConvertible {}

extension SSHError: UserFacingError {
    /// Its title, in one to four words, as the app's ``ErrorCore/ErrorText`` has it.
    public var title: String { text(.title(code.rawValue), definition.title) }
    /// The ``message``, or what the app's ``ErrorCore/ErrorText`` says in its place. Its template may name `{host}`, `{port}`,
    /// `{user}` and `{message}`.
    public var userMessage: String { text(.message(code.rawValue), message) }
    /// The ``hint``, or what the app's ``ErrorCore/ErrorText`` says in its place; nil if there is no remedy.
    public var recoverySuggestion: String? {
        let suggestion = text(.suggestion(code.rawValue), hint)
        return suggestion.isEmpty ? nil : suggestion
    }

    private func text(_ key: ErrorText.Key, _ english: String) -> String {
        let values = [
            "host": evidence.host, "port": evidence.host.isEmpty ? "" : "\(evidence.port)", "user": evidence.user,
            "message": message,
        ]
        return ErrorText.current.string(key, default: ErrorText.literal(english), values: values, for: self)
    }
    /// Its severity.
    public var severity: ErrorSeverity { definition.severity }
    /// The icon of the ``appError``.
    public var icon: String { appError.icon }

    /// The actions that a person may choose, best first. The server's identity is never settled by a retry.
    public var recoveryOptions: [ErrorRecoveryOption] {
        switch retry {
        case .now, .backoff: [.retry, .cancel]
        case .afterFix: category == .trust ? [.checkSettings, .cancel] : [.checkSettings, .retry, .cancel]
        case .never: category == .trust || category == .authentication ? [.checkSettings, .cancel] : [.dismiss]
        }
    }
}

extension SSHError: ClassifiedError {
    /// The ``code`` as a string.
    public var errorCode: String { code.rawValue }
    /// The subject of the error.
    public var category: ErrorCategory { definition.category }
    /// Why the remote command failed, if known.
    public var underlyingError: (any Error)? { cause?.appError }
    /// Whether the command may have run: then nothing retries it unless it was declared idempotent.
    public var mayHaveTakenEffect: Bool { commandMayHaveRun != .no }

    /// The shortest delay before a retry, in seconds, if one is known.
    public var retryAfterSeconds: Double? { retry.minimumWait?.seconds }

    /// Where it happened and how certain the verdict is. The command is truncated and redacted as ``ErrorCore/Redactor/standard``
    /// does.
    public var metadata: ErrorMetadata {
        var result: ErrorMetadata = [
            "ssh_stage": stage.rawValue, "confidence": confidence.rawValue, "command_may_have_run": commandMayHaveRun.rawValue,
        ]
        if !evidence.host.isEmpty {
            result["ssh_host"] = evidence.host
            result["ssh_port"] = String(evidence.port)
        }
        if let hop = evidence.hop { result["ssh_hop"] = "\(hop.number) of \(hop.count)" }
        if !evidence.user.isEmpty { result["ssh_user"] = evidence.user }
        if !evidence.libraryVersion.isEmpty { result["libssh2"] = evidence.libraryVersion }
        if let command = evidence.command {
            result["ssh_command"] = Redactor.standard.command(command.command)
            result["exit_code"] = command.exitStatus.map(String.init)
            result["exit_signal"] = command.exitSignal?.bareName
        }
        return result
    }
}
