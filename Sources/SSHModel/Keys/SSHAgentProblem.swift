/// Why an agent could not help, with the names of the failure codes `ssh.agent.…`.
public struct SSHAgentProblem: Error, Sendable, Hashable, Codable {
    /// What is wrong.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// It cannot be reached, hung up, was too slow, or speaks another protocol.
        case unavailable
        /// It holds no keys; a locked agent says the same.
        case empty
        /// It would not sign: locked, the key is gone, or the person said no.
        case refused
    }

    /// What is wrong.
    public let reason: Reason
    /// One sentence with the facts.
    public let detail: String
    /// The `errno` of the system call that failed, where one did.
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
