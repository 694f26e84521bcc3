internal import ErrorCore

/// The state of a ProxyCommand.
public struct SSHProxyEvidence: Sendable, Hashable, Codable {
    /// The command, tokens replaced.
    public var command: String
    /// Its exit status, 128 + n where signal n ended it; nil while it runs, or where it did not start.
    public var exitStatus: Int?
    /// The tail of its standard error, at most 4096 bytes.
    public var standardError: String

    /// The state of a proxy command. What looks like a password in it is left out.
    public init(command: String, exitStatus: Int? = nil, standardError: String = "") {
        self.command = Redactor.standard.text(command)
        self.exitStatus = exitStatus
        self.standardError = standardError
    }
}
