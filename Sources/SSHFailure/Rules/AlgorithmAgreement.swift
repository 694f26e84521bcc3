/// What two SSH_MSG_KEXINIT messages negotiate (RFC 4253 section 7.1).
package enum AlgorithmAgreement {
    /// A kind of algorithm that both sides have to share.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case keyExchange, hostKey, cipher, mac, compression

        /// For a sentence.
        var words: String {
            switch self {
            case .keyExchange: "key exchange method"
            case .hostKey: "host key algorithm"
            case .cipher: "cipher"
            case .mac: "message authentication code"
            case .compression: "compression method"
            }
        }

        /// The keyword of sshd_config(5).
        package var serverKeyword: String {
            switch self {
            case .keyExchange: "KexAlgorithms"
            case .hostKey: "HostKeyAlgorithms"
            case .cipher: "Ciphers"
            case .mac: "MACs"
            case .compression: "Compression"
            }
        }
    }

    /// The first kind for which nothing is shared.
    package struct Mismatch: Sendable, Hashable {
        package let kind: Kind
        /// `client to server` or the reverse; nil for the kinds that have no direction.
        let direction: String?
        let client: [String]
        package let server: [String]
    }

    /// What the two cannot agree on; nil where they can, or where a side's lists are not known.
    package static func mismatch(_ evidence: SSHEvidence) -> Mismatch? {
        guard let client = evidence.clientAlgorithms, let server = evidence.serverAlgorithms else { return nil }
        let up = "client to server"
        let down = "server to client"
        return missing(.keyExchange, nil, client.keyExchange, server.keyExchange)
            ?? missing(.hostKey, nil, client.hostKey, server.hostKey)
            ?? missing(.cipher, up, client.cipherToServer, server.cipherToServer)
            ?? missing(.cipher, down, client.cipherToClient, server.cipherToClient)
            ?? (needsMAC(client.cipherToServer, server.cipherToServer, evidence)
                ? missing(.mac, up, client.macToServer, server.macToServer) : nil)
            ?? (needsMAC(client.cipherToClient, server.cipherToClient, evidence)
                ? missing(.mac, down, client.macToClient, server.macToClient) : nil)
            ?? missing(.compression, up, client.compressionToServer, server.compressionToServer)
            ?? missing(.compression, down, client.compressionToClient, server.compressionToClient)
    }

    /// The client's first that the server has too.
    static func chosen(_ client: [String], _ server: [String]) -> String? {
        let offered = Set(server)
        return client.first { offered.contains($0) && !isMarker($0) }
    }

    private static func missing(_ kind: Kind, _ direction: String?, _ client: [String], _ server: [String]) -> Mismatch? {
        guard chosen(client, server) == nil else { return nil }
        return Mismatch(
            kind: kind, direction: direction, client: client.filter { !isMarker($0) }, server: server.filter { !isMarker($0) })
    }

    /// A cipher that authenticates by itself needs no MAC (RFC 5647 section 5.1, OpenSSH PROTOCOL section 1.6); but libssh2
    /// 1.11 asks for one beside chacha20-poly1305 all the same, and fails without (`_libssh2_mac_override` in its mac.c).
    private static func needsMAC(_ client: [String], _ server: [String], _ evidence: SSHEvidence) -> Bool {
        guard let cipher = chosen(client, server) else { return true }
        if cipher.mentions("poly1305") { return evidence.libraryName == "KEX_FAILURE" }
        return !authenticatesByItself(cipher)
    }

    /// Whether a cipher needs no MAC.
    package static func authenticatesByItself(_ cipher: String) -> Bool {
        cipher.mentions("gcm") || cipher.mentions("poly1305")
    }

    /// Names in the list of key exchange methods that are none: RFC 8308 section 2.1, OpenSSH PROTOCOL section 1.10.
    package static func isMarker(_ name: String) -> Bool {
        name.hasPrefix("ext-info-") || name.hasPrefix("kex-strict-")
    }
}
