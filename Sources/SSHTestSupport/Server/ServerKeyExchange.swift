import Crypto
import CryptoExtras
import Foundation

/// A host key with its signature algorithm.
enum ServerHostKey {
    /// RFC 8709.
    case ed25519(Curve25519.Signing.PrivateKey)
    /// RFC 4253 section 6.6 and RFC 8332, by the algorithm's name. The signature lacks its leading zeros, as with some servers.
    case rsa(_RSA.Signing.PrivateKey, algorithm: String)

    var algorithm: String {
        switch self {
        case .ed25519: "ssh-ed25519"
        case .rsa(_, let algorithm): algorithm
        }
    }

    /// The public key, as in the reply and, in Base64, in known_hosts.
    var blob: [UInt8] {
        get throws {
            switch self {
            case .ed25519(let key): return SSHWire.string("ssh-ed25519") + SSHWire.string(Array(key.publicKey.rawRepresentation))
            case .rsa(let key, _):
                let numbers = try key.publicKey.getKeyPrimitives()
                return SSHWire.string("ssh-rsa") + SSHWire.mpint(Array(numbers.publicExponent))
                    + SSHWire.mpint(Array(numbers.modulus))
            }
        }
    }

    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .ed25519(let key): return Array(try key.signature(for: bytes))
        case .rsa(let key, "ssh-rsa"):
            return Self.bare(try key.signature(for: Insecure.SHA1.hash(data: bytes), padding: .insecurePKCS1v1_5))
        case .rsa(let key, "rsa-sha2-512"):
            return Self.bare(try key.signature(for: SHA512.hash(data: bytes), padding: .insecurePKCS1v1_5))
        case .rsa(let key, _): return Self.bare(try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5))
        }
    }

    private static func bare(_ signature: _RSA.Signing.RSASignature) -> [UInt8] {
        Array(signature.rawRepresentation.drop { $0 == 0 })
    }

    /// Whether a signature is too short. A signature of ed25519 never is.
    func isShort(_ signature: [UInt8]) -> Bool {
        if case .rsa(let key, _) = self { signature.count < key.keySizeInBits / 8 } else { false }
    }
}

/// The server's side of curve25519-sha256 (RFC 8731).
struct ServerKeyExchange {
    /// The payload of SSH_MSG_KEX_ECDH_REPLY, and the keys of both directions.
    struct Result {
        let reply: [UInt8]
        let fromClient: PacketProtection
        let toClient: PacketProtection
    }

    var clientIdentification: [UInt8] = []
    var serverIdentification: [UInt8] = []
    var clientInit: [UInt8] = []
    var serverInit: [UInt8] = []
    /// The mode that was offered last.
    var mode = PacketMode.ctr
    /// The first exchange hash, which names the session (RFC 4253 section 7.2).
    private var sessionIdentifier: [UInt8]?

    /// Whether keys have been exchanged before.
    var isRenewal: Bool { sessionIdentifier != nil }

    /// - Parameter isShort: whether to search for a server key whose signature is too short. One in 256 is.
    mutating func answer(
        to clientKey: [UInt8], hostKey: ServerHostKey, spoilingSignature: Bool, isShort: Bool = false
    ) throws -> Result {
        let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: clientKey)
        let blob = try hostKey.blob
        var (ourKey, secret, hash, signature): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([], [], [], [])
        repeat {
            let ours = Curve25519.KeyAgreement.PrivateKey()
            secret = try ours.sharedSecretFromKeyAgreement(with: theirs).withUnsafeBytes { SSHWire.mpint(Array($0)) }
            ourKey = Array(ours.publicKey.rawRepresentation)
            // RFC 8731 section 3: the strings of RFC 5656 section 4, the shared secret as an mpint.
            let strings = [clientIdentification, serverIdentification, clientInit, serverInit, blob, clientKey, ourKey]
            hash = Array(SHA256.hash(data: strings.flatMap { SSHWire.string($0) } + secret))
            signature = try hostKey.signature(of: hash)
        } while isShort && !hostKey.isShort(signature)
        let session = sessionIdentifier ?? hash
        sessionIdentifier = session
        if spoilingSignature { signature[0] ^= 0xff }
        let signed = SSHWire.string(hostKey.algorithm) + SSHWire.string(signature)
        let (key, exchangeHash) = (secret, hash)

        /// Derives a key by RFC 4253 section 7.2, as long as the longest key of any mode.
        func derive(_ letter: Character) -> [UInt8] {
            let first = Array(SHA256.hash(data: key + exchangeHash + Array(letter.utf8) + session))
            return first + SHA256.hash(data: key + exchangeHash + first)
        }
        return Result(
            reply: [31] + SSHWire.string(blob) + SSHWire.string(ourKey) + SSHWire.string(signed),
            fromClient: PacketProtection(mode, key: derive("C"), iv: derive("A"), macKey: derive("E")),
            toClient: PacketProtection(mode, key: derive("D"), iv: derive("B"), macKey: derive("F")))
    }
}
