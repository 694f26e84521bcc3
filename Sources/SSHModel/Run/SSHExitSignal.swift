/// `exit-signal` (RFC 4254 section 6.10).
public struct SSHExitSignal: Sendable, Hashable, Codable {
    /// The signal's name without SIG, such as `KILL`; names outside the RFC's list may carry `@domain`.
    public var name: String
    /// Whether a core was dumped.
    public var coreDumped: Bool
    /// The server's explanation, usually empty.
    public var message: String

    /// An exit signal.
    public init(name: String, coreDumped: Bool = false, message: String = "") {
        self.name = name
        self.coreDumped = coreDumped
        self.message = message
    }
}
