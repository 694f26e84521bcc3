internal import NIOPosix
internal import Synchronization

/// The blob and the signature algorithm of a key that is offered to a server.
package struct PublicKeyOffer: Sendable {
    /// The key as passed to libssh2, which takes the algorithm name of the request from its first string.
    let blob: [UInt8]
    /// The signature algorithm, or nil where libssh2 chooses one and names it in the data to be signed.
    package let algorithm: String?

    /// Every key type but RSA names its algorithm.
    init(_ key: SSHPublicKey) {
        blob = key.blob
        let isRSA = PublicKeyAlgorithm.plain(key.algorithm) == PublicKeyAlgorithm.rsa
        algorithm = isRSA && Library.knowsRSASHA2 ? nil : key.algorithm
    }

    /// An RSA key under the name of a SHA-2 algorithm, for a libssh2 without SHA-2 signatures (before 1.11).
    ///
    /// RFC 8332 keeps `ssh-rsa` in the blob: on its way out the key gets its name back (`bridge_tap_name_rsa_key`). If that is
    /// impossible, OpenSSH's server accepts this spelling too, and others end the connection.
    init(rsa key: SSHPublicKey, algorithm: String) {
        var blob: [UInt8] = []
        withUnsafeBytes(of: UInt32(algorithm.utf8.count).bigEndian) { blob.append(contentsOf: $0) }
        blob.append(contentsOf: algorithm.utf8)
        blob.append(contentsOf: key.blob.dropFirst(4 + "ssh-rsa".utf8.count))
        self.blob = blob
        self.algorithm = algorithm
    }

    /// The algorithm that the data to be signed names (RFC 4252 section 7).
    static func algorithm(in data: [UInt8]) -> String? {
        var reader = SSHWireReader(data)
        guard (try? reader.string()) != nil, (try? reader.byte()) == 50, (try? reader.string()) != nil,
            (try? reader.string()) != nil, (try? reader.string()) != nil, (try? reader.boolean()) != nil,
            let name = try? reader.string()
        else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// The offers for a key, best first.
    ///
    /// - Parameter accepted: the signature algorithms that may be used, if not all.
    package static func all(for key: SSHPublicKey, server: String, accepted: [String]? = nil) -> [PublicKeyOffer] {
        guard key.algorithm == PublicKeyAlgorithm.rsa, !Library.knowsRSASHA2 else { return [PublicKeyOffer(key)] }
        let modern = [PublicKeyAlgorithm.rsaSHA512, PublicKeyAlgorithm.rsaSHA256].first { accepted?.contains($0) ?? true }
        var offers = modern.map { [PublicKeyOffer(rsa: key, algorithm: $0)] } ?? []
        if offers.isEmpty || mayNeedSHA1(server, accepted) { offers.append(PublicKeyOffer(key)) }
        return offers
    }

    /// Old servers accept only a SHA-1 signature. OpenSSH refuses that since 8.8, and offering it would count as a failed
    /// attempt; it knows the other algorithms since 7.2.
    private static func mayNeedSHA1(_ server: String, _ accepted: [String]?) -> Bool {
        let isOpenSSH = server.hasPrefix("OpenSSH_")
        guard let accepted else { return !isOpenSSH }
        guard accepted.contains(PublicKeyAlgorithm.rsa) else { return false }
        return !isOpenSSH || OpenSSHRelease(in: server).map { $0 < OpenSSHRelease(7, 2) } == true
    }
}

/// The public key types that the loaded libssh2 can offer, and remedies for the others (userauth.c: _libssh2_userauth_publickey
/// packs the signature, and must know the format for each type).
package enum OfferableKey {
    /// Whether a key of this type can be offered, regardless of its signer.
    package static func isOfferable(_ algorithm: String) -> Bool {
        if PublicKeyAlgorithm.isCertificate(algorithm) {
            let plain = PublicKeyAlgorithm.plain(algorithm)
            if EllipticCurve(algorithm: plain) != nil { return true }
            // 1.11.1 is the first to know that RSA certificates are signed with SHA-2 too.
            if plain == PublicKeyAlgorithm.rsa { return Library.isAtLeast(1, 11, 1) }
            return plain == PublicKeyAlgorithm.ed25519 && Library.isAtLeast(1, 11)
        }
        if PublicKeyAlgorithm.isSecurityKey(algorithm) { return Library.isAtLeast(1, 11) }
        return !signatureAlgorithms(named: algorithm).isEmpty
    }

    /// Why a key of this type is not offered, and the remedy: for a person, without naming the key.
    package static func advice(on algorithm: String) -> String {
        let name = PublicKeyAlgorithm.displayName(of: algorithm)
        let version = Library.version
        if PublicKeyAlgorithm.isCertificate(algorithm) {
            let other = "Have the plain key accepted by the server, or an ECDSA key certified."
            let first = [PublicKeyAlgorithm.ed25519: "1.11", PublicKeyAlgorithm.rsa: "1.11.1"][
                PublicKeyAlgorithm.plain(algorithm)]
            guard let first else { return "libssh2 cannot offer \(name) certificates. \(other)" }
            return "libssh2 \(version) cannot offer \(name) certificates; libssh2 \(first) can. \(other)"
        }
        if PublicKeyAlgorithm.isSecurityKey(algorithm) {
            return "libssh2 \(version) cannot offer security keys (\(name)); libssh2 1.11 can, from an agent."
        }
        return "Keys of type \(printable(algorithm)) are not supported; use Ed25519, ECDSA or RSA."
    }
}

extension KeyFile {
    /// As ``decrypted(with:)``, on another thread if the key is encrypted: deriving a key from a passphrase may take seconds.
    ///
    /// A cancelled caller does not wait for it. bcrypt then ends with its current round; PBKDF2 and scrypt cannot be
    /// interrupted, and their result is discarded.
    ///
    /// - Throws: as ``decrypted(with:)``; `CancellationError`.
    package func opened(with passphrase: SSHSecret?) async throws -> SSHPrivateKey {
        guard isEncrypted, passphrase != nil else { return try decrypted(with: passphrase) }
        let opening = Opening(self)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard opening.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
                NIOThreadPool.singleton.submit { _ in
                    guard let result = opening.decrypt(with: passphrase) else { return }
                    opening.end(result)
                }
            }
        } onCancel: {
            opening.cancel()
        }
    }

    /// Resumes the caller once: with the key, or because it was cancelled.
    private final class Opening: Sendable {
        private let state = Mutex((caller: CheckedContinuation<SSHPrivateKey, any Error>?.none, isCancelled: false))
        private let file: Mutex<KeyFile?>

        init(_ file: KeyFile) { self.file = Mutex(file) }

        var isWanted: Bool { state.withLock { !$0.isCancelled } }

        /// Decrypts, and releases the file before the caller continues, which may hold the last reference to it.
        ///
        /// - Returns: nil if the caller was cancelled before the work began. Then it never begins.
        @inline(never)
        func decrypt(with passphrase: SSHSecret?) -> Result<SSHPrivateKey, any Error>? {
            guard let file = file.withLock({ $0.take() }), isWanted else { return nil }
            return Result { try file.decrypted(with: passphrase, while: { isWanted }) }
        }

        func begin(_ caller: CheckedContinuation<SSHPrivateKey, any Error>) -> Bool {
            state.withLock { state in
                if !state.isCancelled { state.caller = caller }
                return !state.isCancelled
            }
        }

        func end(_ result: Result<SSHPrivateKey, any Error>) { takeCaller()?.resume(with: result) }

        func cancel() {
            state.withLock { $0.isCancelled = true }
            takeCaller()?.resume(throwing: CancellationError())
        }

        private func takeCaller() -> CheckedContinuation<SSHPrivateKey, any Error>? {
            state.withLock { $0.caller.take() }
        }
    }
}
