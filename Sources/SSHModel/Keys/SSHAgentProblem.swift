/// Why an agent could not help, with the names of the failure codes `ssh.agent.…`.
public struct SSHAgentProblem: Error, Sendable, Hashable, Codable {
    /// What is wrong.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The agent cannot be reached, closed the connection, was too slow, or speaks another protocol.
        case unavailable
        /// The agent holds no keys. A locked agent says the same.
        case empty
        /// The agent did not sign: it is locked, the key was removed, or the user declined.
        case refused
    }

    /// What is wrong.
    public let reason: Reason
    /// One sentence with the facts.
    public let detail: String
    /// The `errno` of the failed system call, if there was one.
    public let systemError: Int32?

    package init(reason: Reason, detail: String, systemError: Int32? = nil) {
        self.reason = reason
        self.detail = detail
        self.systemError = systemError
    }
}

extension SSHAgentProblem: CustomStringConvertible {
    /// The code's name and the detail.
    public var description: String { "\(reason.rawValue): \(detail)" }
}
