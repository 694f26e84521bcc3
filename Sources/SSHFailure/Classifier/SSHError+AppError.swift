public import ErrorCore

extension SSHError {
    /// The failure as an app sees it.
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

    /// The method that was refused last, or that failed, or those that were available.
    private var method: String {
        if stage == .authentication, code.rawValue.hasPrefix("ssh.agent.") { return "publickey" }
        let login = evidence.login
        if let attempt = login.lastRefused ?? login.attempts.last { return attempt.method }
        if case .promptUnanswerable = evidence.event { return "keyboard-interactive" }
        return login.methodsHeld.isEmpty ? "none" : login.methodsHeld.joined(separator: ",")
    }

    /// 128 + n for a signal n; -1 where the outcome is unknown.
    private var commandFailed: AppError {
        let command = evidence.command
        let exitCode = command?.exitSignal.map { Int(SSHExitStatus.killed(by: $0).rawValue) } ?? command?.exitStatus ?? -1
        let tail = command?.standardErrorTail ?? ""
        return .sshCommandFailed(command: command?.command ?? "", exitCode: exitCode, stderr: tail.isEmpty ? nil : tail)
    }
}

extension AppError {
    /// The name of the case, such as `sshTimeout`: what `case` in the JSON says.
    package var caseName: String { kind.caseName }
}

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
    package var retryAfterSeconds: Double? { retry.minimumWait?.seconds }

    /// Where it happened and how certain the verdict is. The command is truncated and redacted as
    /// ``ErrorCore/Redactor/standard`` does.
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

extension SSHError: CancellationDescribing {
    /// Whether the task was cancelled: `ssh.local.cancelled`.
    public var isCancellation: Bool { code == .localCancelled }

    /// This failure's run, cancelled in the wait before the next attempt. What is known of the command stays.
    public var cancelledBeforeRetry: SSHError {
        var evidence = evidence
        evidence.event = .cancelled(signal: nil)
        evidence.stage = .local
        var error = SSHFailureClassifier.classify(evidence)
        error.result = result
        return error
    }
}
