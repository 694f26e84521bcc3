public import ErrorCore

extension SSHError {
    /// The app-wide case for this failure.
    public var appError: AppError {
        switch definition.appCase {
        case .dnsError: .dnsError(host: evidence.host)
        case .validationError: validationError
        case .networkUnavailable: .networkUnavailable
        case .fileReadError: fileReadError
        case .cancelled: .cancelled
        case .sshConnectionFailed: .sshConnectionFailed(host: evidence.host, reason: message)
        case .sshTimeout: .sshTimeout(seconds: (evidence.deadline?.seconds ?? evidence.elapsedSeconds).wholeSeconds)
        case .sshHostKeyMismatch: .sshHostKeyMismatch(host: evidence.host)
        case .sshKeyInvalid: .sshKeyInvalid(reason: message)
        case .sshAuthenticationFailed: .sshAuthenticationFailed(method: method)
        case .sshCommandFailed: commandFailed
        case .fileNotFound: .fileNotFound(path: filePath)
        case .fileWriteError: .fileWriteError(path: writtenPath, reason: message)
        case .filePermissionDenied: .filePermissionDenied(path: filePath)
        case .insufficientDiskSpace: .insufficientDiskSpace(required: 0, available: 0)
        case .featureUnavailable: .featureUnavailable(feature: evidence.fileProblem?.operation ?? "")
        default: .internalError(detail: message)
        }
    }

    private var validationError: AppError {
        switch evidence.event {
        case .usage(let field, let problem): .validationError(field: field, message: problem)
        case .configurationInvalid: .validationError(field: "config", message: message)
        default: .validationError(field: "host", message: message)
        }
    }

    private var filePath: String { evidence.fileProblem?.path ?? "" }

    private var writtenPath: String {
        switch evidence.event {
        case .outputUnwritable: "standard output"
        case .knownHostsUnwritable(let path, _): path
        default: filePath
        }
    }

    private var fileReadError: AppError {
        if let problem = evidence.fileProblem { return .fileReadError(path: problem.path, reason: message) }
        guard case .knownHostsUnreadable(let path, let number) = evidence.event else {
            return .fileReadError(path: "", reason: message)
        }
        return .fileReadError(path: path, reason: SystemError.text(number))
    }

    /// The method that was refused last or failed, or else the available methods.
    private var method: String {
        if stage == .authentication, code.rawValue.hasPrefix("ssh.agent.") { return "publickey" }
        let login = evidence.login
        if let attempt = login.lastRefused ?? login.attempts.last { return attempt.method }
        if case .promptUnanswerable = evidence.event { return "keyboard-interactive" }
        return login.methodsHeld.isEmpty ? "none" : login.methodsHeld.joined(separator: ",")
    }

    /// The exit code is 128 + n for a signal n, and -1 if the outcome is unknown.
    private var commandFailed: AppError {
        let command = evidence.command
        let exitCode = command?.exitSignal.map { Int(SSHExitStatus.killed(by: $0).rawValue) } ?? command?.exitStatus ?? -1
        let tail = command?.standardErrorTail ?? ""
        return .sshCommandFailed(command: command?.command ?? "", exitCode: exitCode, stderr: tail.isEmpty ? nil : tail)
    }
}

extension AppError {
    /// The name of the case, such as `sshTimeout`, for the member `case` in JSON.
    package var caseName: String { kind.caseName }
}

extension SSHError: AppErrorConvertible {}

extension SSHError: UserFacingError {
    /// The title in one to four words, from the app's ``ErrorCore/ErrorText``.
    public var title: String { text(.title(code.rawValue), definition.title) }
    /// The ``message``, or the app's ``ErrorCore/ErrorText`` for it. The app's template may contain `{host}`, `{port}`, `{user}`
    /// and `{message}`.
    public var userMessage: String { text(.message(code.rawValue), message) }
    /// The ``hint``, or the app's ``ErrorCore/ErrorText`` for it; nil if there is no remedy.
    public var recoverySuggestion: String? {
        let suggestion = text(.suggestion(code.rawValue), hint)
        return suggestion.isEmpty ? nil : suggestion
    }

    private func text(_ key: ErrorText.Key, _ english: String) -> String {
        let port = evidence.host.isEmpty || evidence.port == 0 ? "" : "\(evidence.port)"
        let values = ["host": evidence.host, "port": port, "user": evidence.user, "message": message]
        return ErrorText.current.string(key, default: ErrorText.literal(english), values: values, for: self)
    }
    /// The severity.
    public var severity: ErrorSeverity { definition.severity }
    /// The icon of the ``appError``.
    public var icon: String { appError.icon }

    /// The actions to offer a person, the most useful first. For a problem with the server's identity, a retry is not offered.
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
    /// The category.
    public var category: ErrorCategory { definition.category }
    /// Why the remote command failed, if known.
    public var underlyingError: (any Error)? { cause?.appError }
    /// Whether the command may have run. If so, only a command that was declared idempotent is retried.
    public var mayHaveTakenEffect: Bool { commandMayHaveRun != .no }

    /// The shortest delay before a retry, in seconds, if one is known.
    package var retryAfterSeconds: Double? { retry.minimumWait?.seconds }

    /// Where the failure happened and how certain the verdict is. The command is truncated and redacted by
    /// ``ErrorCore/Redactor/standard``.
    public var metadata: ErrorMetadata {
        var result: ErrorMetadata = [
            "ssh_stage": stage.rawValue, "confidence": confidence.rawValue, "command_may_have_run": commandMayHaveRun.rawValue,
        ]
        if !evidence.host.isEmpty {
            result["ssh_host"] = evidence.host
            if evidence.port != 0 { result["ssh_port"] = String(evidence.port) }
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

extension SSHError: CancellationDescribing {
    /// Whether the task was cancelled: `ssh.local.cancelled`.
    public var isCancellation: Bool { code == .localCancelled }

    /// This failure, cancelled during the wait before the next attempt. The facts about the command are kept.
    public var cancelledBeforeRetry: SSHError {
        var evidence = evidence
        evidence.event = .cancelled(signal: nil)
        evidence.stage = .local
        var error = SSHFailureClassifier.classify(evidence)
        error.result = result
        return error
    }
}
