/// What a server's KEXINIT (RFC 4253 section 7.1) offers against a later attack by a quantum computer.
package struct PostQuantumOffer: Sendable, Hashable {
    /// The post-quantum key exchange methods, in the server's order.
    package let names: [String]
    /// Whether the connection uses one of them.
    package let isUsed: Bool

    /// - Parameters:
    ///   - offered: the server's key exchange methods.
    ///   - agreed: the negotiated one; nil if there is none.
    package init(offered: [String], agreed: String?) {
        names = offered.filter(Self.resists)
        isUsed = agreed.map(Self.resists) ?? false
    }

    /// Whether a key exchange resists such an attack: sntrup761 with X25519 since OpenSSH 8.5, by default since 9.0; ML-KEM with
    /// X25519 since 9.9, by default since 10.0; with NIST curves in draft-ietf-sshm-mlkem-hybrid-kex.
    private static func resists(_ keyExchange: String) -> Bool {
        keyExchange.hasPrefix("sntrup761") || keyExchange.hasPrefix("mlkem")
    }

    /// The offer of the server at which a connection failed.
    ///
    /// - Returns: nil if its KEXINIT was not received, or if it may be a jump host.
    package init?(_ evidence: SSHEvidence) {
        guard evidence.hop == nil, let offered = evidence.serverAlgorithms else { return nil }
        self.init(offered: offered.keyExchange, agreed: evidence.chosenAlgorithms?.keyExchange)
    }

    /// The offer as one line.
    package var line: String {
        if names.isEmpty { return "post-quantum key exchange: none offered" }
        return "post-quantum key exchange: \(names.joined(separator: ", ")) (\(isUsed ? "used" : "not used"))"
    }
}
