internal import Synchronization

/// Signs for a user: a private key from a file, an agent, hardware.
package protocol Signer: Sendable {
    /// The public key that verifies its signatures.
    var publicKey: SSHPublicKey { get }

    /// Whether signing may wait for an agent or a person.
    var mayWait: Bool { get }

    /// The place of the key, for messages and evidence.
    var origin: SignerOrigin { get }

    /// Signs `data` and returns the SSH signature blob (RFC 4253 section 6.6).
    ///
    /// - Parameter algorithm: one of ``signatureAlgorithms(for:serverOffers:allowingSHA1:)``.
    /// - Throws: ``SigningError`` for a key file, ``SSHAgentProblem`` for an agent.
    func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8]
}

/// The place of a signing key.
package enum SignerOrigin: Sendable, Hashable {
    /// A private key file, with the path that the caller gave.
    case file(path: String)
    /// An agent at this socket.
    case agent(socket: String)
}

/// Signs with a private key in memory.
package struct KeySigner: Signer {
    package let origin: SignerOrigin
    private let key: SSHPrivateKey

    package init(_ key: SSHPrivateKey, path: String) {
        self.key = key
        origin = .file(path: path)
    }

    package var publicKey: SSHPublicKey { key.publicKey }

    package var mayWait: Bool { false }

    package func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        // RSA takes milliseconds. Other connections of the event loop should not wait for it.
        guard key.publicKey.algorithm == "ssh-rsa" else { return try key.sign(data, algorithm: algorithm) }
        return try await BlockingWork.run { [key] in try key.sign(data, algorithm: algorithm) }
    }
}

/// A key file that is decrypted only after the server has said that it would accept the key, as `ssh` does.
package final class LockedKeySigner: Signer {
    package let publicKey: SSHPublicKey
    package let origin: SignerOrigin
    private let open: @Sendable () async throws -> SSHPrivateKey
    private let opened = Mutex<SSHPrivateKey?>(nil)

    package init(publicKey: SSHPublicKey, path: String, open: @escaping @Sendable () async throws -> SSHPrivateKey) {
        self.publicKey = publicKey
        origin = .file(path: path)
        self.open = open
    }

    package var mayWait: Bool { true }

    package func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        let key: SSHPrivateKey
        if let known = opened.withLock({ $0 }) {
            key = known
        } else {
            key = try await open()
            opened.withLock { $0 = key }
        }
        return try await KeySigner(key, path: "").sign(data, algorithm: algorithm)
    }
}

/// Wraps a signer of the library's user for authentication.
package struct CustomSigner: Signer {
    private let signer: any SSHSigner
    package let publicKey: SSHPublicKey
    package let origin: SignerOrigin

    package init(_ signer: any SSHSigner, label: String) {
        self.signer = signer
        publicKey = signer.publicKey
        origin = .file(path: label)
    }

    package var mayWait: Bool { true }

    package func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        let plain = PublicKeyAlgorithm.plain(algorithm)
        var blob = SSHWireWriter()
        blob.string(plain)
        blob.string(try await signer.sign(data, algorithm: plain).bytes)
        return blob.bytes
    }
}

/// The signature algorithms to try for a key, best first; none for an unsupported key type.
///
/// An RSA key has several (RFC 8332). Other keys have one, which is offered even if the server does not list it, because
/// `server-sig-algs` need not be complete (RFC 8308 section 3.1).
///
/// - Parameters:
///   - serverOffers: the server's `server-sig-algs`; nil if it sent none.
///   - allowingSHA1: whether an RSA key may fall back to `ssh-rsa`, which servers since OpenSSH 8.8 refuse.
package func signatureAlgorithms(
    for key: SSHPublicKey, serverOffers: [String]?, allowingSHA1: Bool = false
) -> [String] {
    signatureAlgorithms(named: key.algorithm, serverOffers: serverOffers, allowingSHA1: allowingSHA1)
}

/// The same for any key of this algorithm.
package func signatureAlgorithms(named algorithm: String, serverOffers: [String]? = nil, allowingSHA1: Bool = false) -> [String] {
    guard algorithm == PublicKeyAlgorithm.rsa else {
        let isSupported = algorithm == PublicKeyAlgorithm.ed25519 || EllipticCurve(algorithm: algorithm) != nil
        return isSupported ? [algorithm] : []
    }
    let known = [PublicKeyAlgorithm.rsaSHA512, PublicKeyAlgorithm.rsaSHA256] + (allowingSHA1 ? [PublicKeyAlgorithm.rsa] : [])
    guard let serverOffers else { return known }
    return known.filter(serverOffers.contains)
}
