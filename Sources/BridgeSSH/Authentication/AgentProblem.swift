/// Why the SSH agent could not help.
public struct AgentProblem: Error, Sendable, Hashable, Codable {
    /// The kinds of trouble; the raw values end the codes `ssh.agent.…`.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// It cannot be reached, does not answer, or answers nonsense.
        case unavailable
        /// It holds no key.
        case empty
        /// It refused: it is locked, or its owner said no.
        case refused
    }
    /// What kind of trouble.
    public var reason: Reason
    /// The facts, in one plain sentence.
    public var detail: String
    /// The errno, where the system refused.
    public var systemError: Int32?

    /// A problem.
    public init(reason: Reason, detail: String, systemError: Int32? = nil) {
        self.reason = reason
        self.detail = detail
        self.systemError = systemError
    }
}
