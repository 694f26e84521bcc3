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
        case .sshTimeout: .sshTimeout(seconds: (evidence.deadline?.seconds ?? evidence.elapsed).wholeSeconds)
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
        if case .outputUnwritable = evidence.event { return "standard output" }
        return filePath
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
        let exitCode = command?.exitSignal.map { Int(ExitStatus.killed(by: $0).rawValue) } ?? command?.exitStatus ?? -1
        let tail = command?.standardErrorTail ?? ""
        return .sshCommandFailed(command: command?.command ?? "", exitCode: exitCode, stderr: tail.isEmpty ? nil : tail)
    }
}
