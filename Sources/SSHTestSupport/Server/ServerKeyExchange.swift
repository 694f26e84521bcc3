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

    /// The host key as it stands in a reply and, in Base64, in known_hosts.
    static func blob(_ key: Curve25519.Signing.PrivateKey) -> [UInt8] {
        SSHWire.string("ssh-ed25519") + SSHWire.string(Array(key.publicKey.rawRepresentation))
    }

    func answer(
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
        var signature = Array(try hostKey.signature(for: hash))
        if spoilingSignature { signature[0] ^= 0xff }
        let signed = SSHWire.string("ssh-ed25519") + SSHWire.string(signature)
        return Result(
            reply: [31] + SSHWire.string(blob) + SSHWire.string(ourKey) + SSHWire.string(signed),
            fromClient: Self.protection(secret, hash, iv: "A", key: "C", mac: "E"),
            toClient: Self.protection(secret, hash, iv: "B", key: "D", mac: "F"))
    }

    /// RFC 4253 section 7.2. No length asked for here is above that of a hash; the first hash is the session identifier.
    private static func protection(
        _ secret: [UInt8], _ hash: [UInt8], iv: Character, key: Character, mac: Character
    ) -> PacketProtection {
        func derive(_ letter: Character, _ length: Int) -> [UInt8] {
            Array(SHA256.hash(data: secret + hash + Array(letter.utf8) + hash).prefix(length))
        }
        return PacketProtection(
            key: derive(key, PacketProtection.blockLength), iv: derive(iv, PacketProtection.blockLength), macKey: derive(mac, 32))
    }
}
