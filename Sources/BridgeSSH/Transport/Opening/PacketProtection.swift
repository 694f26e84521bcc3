/// What is known of the server's packets from both sides' lists, before the first enciphered one comes (RFC 4253 section 7.1).
struct PacketProtection: Sendable, Hashable {
    /// The cipher's block in bytes where a packet's length is enciphered with the rest and proved only after it; 0 where the
    /// cipher or the MAC proves the packet before it is deciphered.
    var cipherBlock = 0
    /// The MAC's length in bytes.
    var macLength = 0

    init(client: AlgorithmLists, server: AlgorithmLists) {
        guard let cipher = AlgorithmAgreement.chosen(client.cipherToClient, server.cipherToClient),
            let mac = AlgorithmAgreement.chosen(client.macToClient, server.macToClient),
            !mac.hasBytes(of: "-etm@"), let block = Self.block(cipher), let length = Self.macLengths[mac]
        else { return }
        cipherBlock = block
        macLength = length
    }

    /// RFC 4253 section 6.3, RFC 4344 section 4, RFC 4345: libssh2 counts eight bytes for arcfour.
    private static func block(_ cipher: String) -> Int? {
        if AlgorithmAgreement.authenticatesByItself(cipher) { return nil }
        if cipher.hasPrefix("aes") || cipher.hasPrefix("rijndael") { return 16 }
        return ["3des", "blowfish", "cast128", "arcfour"].contains { cipher.hasPrefix($0) } ? 8 : nil
    }

    /// RFC 4253 section 6.4, RFC 6668.
    private static let macLengths = [
        "hmac-sha2-256": 32, "hmac-sha2-512": 64, "hmac-sha1": 20, "hmac-sha1-96": 12, "hmac-md5": 16, "hmac-md5-96": 12,
        "hmac-ripemd160": 20, "hmac-ripemd160@openssh.com": 20,
    ]
}
