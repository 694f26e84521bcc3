/// SSH_MSG_DISCONNECT (RFC 4253 section 11.1).
public struct SSHDisconnectMessage: Sendable, Hashable, Codable {
    /// The reason code; OpenSSH's server always sends 2.
    public var reason: UInt32
    /// The server's description, truncated to 1024 bytes.
    public var description: String

    /// A disconnect message.
    public init(reason: UInt32, description: String) {
        self.reason = reason
        self.description = description
    }
}
