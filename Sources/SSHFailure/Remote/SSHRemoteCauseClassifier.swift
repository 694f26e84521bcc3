package import ErrorCore

/// Finds why a remote command failed: from its exit status, which is never translated, then from its program, then from the last
/// informative line of standard error. Advisory, because a program can print anything.
public enum SSHRemoteCauseClassifier {
    /// The cause of a failure. Nil if it is unknown, and for statuses that need no explanation: 0, 126, 127 and, except for
    /// timeout(1), those of a signal.
    ///
    /// - Parameters:
    ///   - exitStatus: the command's exit status.
    ///   - command: the command line as it was given to the remote shell.
    ///   - standardError: the end of what it wrote to standard error.
    public static func cause(exitStatus: Int, command: String, standardError: String) -> SSHRemoteCause? {
        guard ![0, 126, 127].contains(exitStatus) else { return nil }
        let failure = RemoteFailure(status: exitStatus, command: command, standardError: standardError)
        if let cause = RemotePrograms.timeLimit(failure) { return cause }
        // 128 + n: a signal ended it, whatever it had said before (POSIX.1 XCU 2.8.2).
        guard !(129...159).contains(exitStatus) else { return nil }
        for rule in rules {
            if let cause = rule(failure) { return cause }
        }
        return nil
    }

    /// In the order in which they are asked; the first that answers decides.
    static let rules: [@Sendable (RemoteFailure) -> SSHRemoteCause?] = [
        RemotePrograms.clone, RemotePrograms.curl, RemotePrograms.wget, RemotePrograms.elevation, NestedSSH.cause,
        RemoteLines.cause,
    ]
}

extension SSHRemoteCause {
    /// A cause whose code is `remote.` and this name.
    package init(_ name: String, _ appError: AppError, _ message: String, _ confidence: SSHError.Confidence) {
        let message = TerminalText.inert(message, limit: TextExtent.sentence.limit)
        self.init(appError: appError, code: "remote.\(name)", message: message.ended, confidence: confidence)
    }

    /// The same cause, known this well.
    func with(_ confidence: SSHError.Confidence) -> SSHRemoteCause {
        var cause = self
        cause.confidence = confidence
        return cause
    }
}
