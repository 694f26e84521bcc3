/// One side's offer in SSH_MSG_KEXINIT (RFC 4253 section 7.1), in its order of preference.
public struct SSHAlgorithmLists: Sendable, Hashable, Codable {
    /// Key exchange methods.
    public var keyExchange: [String] = []
    /// Host key algorithms.
    public var hostKey: [String] = []
    /// Ciphers, client to server.
    public var cipherToServer: [String] = []
    /// Ciphers, server to client.
    public var cipherToClient: [String] = []
    /// MACs, client to server.
    public var macToServer: [String] = []
    /// MACs, server to client.
    public var macToClient: [String] = []
    /// Compression, client to server.
    public var compressionToServer: [String] = []
    /// Compression, server to client.
    public var compressionToClient: [String] = []

    /// Empty lists.
    public init() {}
}
