import ErrorCore

/// Tells why a remote command failed: its exit status first, which is never translated, then its program, then the last
/// telling line of standard error. Advisory, because a program can print anything.
public enum RemoteCauseClassifier {
    /// The cause of a failure; nil where none can be told, and for the statuses that say all by themselves (0, 126, 127).
    ///
    /// - Parameters:
    ///   - exitStatus: the command's exit status.
    ///   - command: the command line as it was given to the remote shell.
    ///   - standardError: the end of what it wrote to standard error.
    public static func cause(exitStatus: Int, command: String, standardError: String) -> RemoteCause? {
        guard ![0, 126, 127].contains(exitStatus) else { return nil }
        let failure = RemoteFailure(
            status: exitStatus, command: command, lines: Array(RemoteText.tellingLines(standardError).suffix(64)))
        for rule in rules {
            if let cause = rule(failure) { return cause }
        }
        return nil
    }

    /// In the order in which they are asked; the first that answers decides.
    static let rules: [@Sendable (RemoteFailure) -> RemoteCause?] = [
        RemotePrograms.clone, RemotePrograms.timeLimit, RemotePrograms.transfer, RemotePrograms.elevation, NestedSSH.cause,
        RemoteLines.cause,
    ]
}

/// What a remote command left to judge by.
struct RemoteFailure: Sendable {
    let status: Int
    let command: String
    /// The telling lines of standard error, noise left out.
    let lines: [String]

    /// The same failure with another command line in mind.
    func holding(_ words: String) -> Bool {
        lines.contains { $0.lowercased().contains(words) }
    }
}

extension RemoteCause {
    /// A cause whose code is `remote.` and this name.
    init(_ name: String, _ appError: AppError, _ message: String, _ confidence: SSHError.Confidence) {
        self.init(appError: appError, code: "remote.\(name)", message: message.ended, confidence: confidence)
    }
}
