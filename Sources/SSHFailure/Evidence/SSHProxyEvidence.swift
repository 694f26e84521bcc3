internal import ErrorCore

/// The state of a ProxyCommand.
public struct SSHProxyEvidence: Sendable, Hashable, Codable {
    /// The command, with its tokens expanded.
    public var command: String
    /// The exit status, 128 + n if signal n ended the command; nil while it runs, or if it did not start.
    public var exitStatus: Int?
    /// The end of its standard error, at most 4096 bytes.
    public var standardError: String

    /// The state of a ProxyCommand. Anything in the command that looks like a password is removed.
    public init(command: String, exitStatus: Int? = nil, standardError: String = "") {
        self.command = Redactor.standard.text(command)
        self.exitStatus = exitStatus
        self.standardError = standardError
    }
}
