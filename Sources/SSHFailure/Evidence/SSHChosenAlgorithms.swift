/// The algorithms that both sides negotiated in key exchange (RFC 4253 section 7.1).
public struct SSHChosenAlgorithms: Sendable, Hashable, Codable {
    /// The key exchange method.
    public var keyExchange = ""
    /// The host key algorithm: that of the server's signature, which may differ from the key's type.
    public var hostKey = ""
    /// The cipher, client to server.
    public var cipherToServer = ""
    /// The cipher, server to client.
    public var cipherToClient = ""
    /// The MAC, client to server; nil if the cipher provides authentication itself (RFC 5647 section 5.1).
    public var macToServer: String?
    /// The MAC, server to client; nil if the cipher provides authentication itself.
    public var macToClient: String?

    /// Nothing yet.
    public init() {}
}
