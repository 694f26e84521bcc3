import Crypto
import Foundation

/// The server's side of curve25519-sha256 with an ssh-ed25519 host key (RFC 8731, RFC 8709).
struct ServerKeyExchange {
    /// SSH_MSG_KEX_ECDH_REPLY, and the keys of both directions.
    struct Result {
        let reply: [UInt8]
        let fromClient: PacketProtection
        let toClient: PacketProtection
    }

    var clientIdentification: [UInt8] = []
    var serverIdentification: [UInt8] = []
    var clientInit: [UInt8] = []
    var serverInit: [UInt8] = []
    /// What was offered last.
    var mode = PacketMode.ctr
    /// The first exchange hash, which names the session (RFC 4253 section 7.2).
    private var sessionIdentifier: [UInt8]?

    /// Whether keys have been exchanged before.
    var isRenewal: Bool { sessionIdentifier != nil }

    /// The host key as it stands in a reply and, in Base64, in known_hosts.
    static func blob(_ key: Curve25519.Signing.PrivateKey) -> [UInt8] {
        SSHWire.string("ssh-ed25519") + SSHWire.string(Array(key.publicKey.rawRepresentation))
    }

    mutating func answer(
        to clientKey: [UInt8], hostKey: Curve25519.Signing.PrivateKey, spoilingSignature: Bool
    ) throws -> Result {
        let ours = Curve25519.KeyAgreement.PrivateKey()
        let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: clientKey)
        let secret = try ours.sharedSecretFromKeyAgreement(with: theirs).withUnsafeBytes { SSHWire.mpint(Array($0)) }
        let blob = Self.blob(hostKey)
        let ourKey = Array(ours.publicKey.rawRepresentation)
        // RFC 8731 section 3: the strings of RFC 5656 section 4, the shared secret as an mpint.
        let strings = [clientIdentification, serverIdentification, clientInit, serverInit, blob, clientKey, ourKey]
        let hash = Array(SHA256.hash(data: strings.flatMap { SSHWire.string($0) } + secret))
        let session = sessionIdentifier ?? hash
        sessionIdentifier = session
        var signature = Array(try hostKey.signature(for: hash))
        if spoilingSignature { signature[0] ^= 0xff }
        let signed = SSHWire.string("ssh-ed25519") + SSHWire.string(signature)

        /// RFC 4253 section 7.2: as much as the longest key of any mode takes.
        func derive(_ letter: Character) -> [UInt8] {
            let first = Array(SHA256.hash(data: secret + hash + Array(letter.utf8) + session))
            return first + SHA256.hash(data: secret + hash + first)
        }
        return Result(
            reply: [31] + SSHWire.string(blob) + SSHWire.string(ourKey) + SSHWire.string(signed),
            fromClient: PacketProtection(mode, key: derive("C"), iv: derive("A"), macKey: derive("E")),
            toClient: PacketProtection(mode, key: derive("D"), iv: derive("B"), macKey: derive("F")))
    }
}
