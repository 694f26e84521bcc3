internal import ErrorCore

/// The notice of an identity that cannot be used, while others can.
package enum UnusedIdentity {
    static func notice(_ problem: SSHKeyProblem) -> String { begin(problem.path) + problem.detail }

    /// Whether a notice is of the identity at a path.
    package static func concerns(_ path: String, _ notice: String) -> Bool {
        notice.hasPrefix(TerminalText.inert(begin(path), limit: TextExtent.sentence.limit))
    }

    private static func begin(_ path: String) -> String { "The identity \(path) is not used: " }
}
