internal import Synchronization

/// A key file that is only decrypted when the server has said that it would accept the key, as `ssh` does.
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
