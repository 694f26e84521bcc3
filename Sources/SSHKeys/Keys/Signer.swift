/// Signs for a user: a private key from a file, an agent, hardware.
package protocol Signer: Sendable {
    /// The public key that verifies its signatures.
    var publicKey: SSHPublicKey { get }

    /// Whether signing may wait for something outside this process: an agent, a person.
    var mayWait: Bool { get }

    /// Where the key lives, for messages and evidence.
    var origin: SignerOrigin { get }

    /// Signs `data` and returns the SSH signature blob (RFC 4253 section 6.6).
    ///
    /// - Parameter algorithm: one of ``signatureAlgorithms(for:serverOffers:allowingSHA1:)``.
    /// - Throws: ``SigningError`` for a key file, ``SSHAgentProblem`` for an agent.
    func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8]
}

/// Where a key that signs lives.
package enum SignerOrigin: Sendable, Hashable {
    /// A private key file, as the caller named it.
    case file(path: String)
    /// An agent behind this socket.
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
        // RSA takes milliseconds, and no other connection of the event loop should wait for that.
        guard key.publicKey.algorithm == "ssh-rsa" else { return try key.sign(data, algorithm: algorithm) }
        return try await BlockingWork.run { [key] in try key.sign(data, algorithm: algorithm) }
    }
}
