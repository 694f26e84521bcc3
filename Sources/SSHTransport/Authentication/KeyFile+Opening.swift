internal import NIOPosix
internal import Synchronization

extension KeyFile {
    /// As ``decrypted(with:)``, on another thread where the key is encrypted: deriving a key from a passphrase may take seconds.
    ///
    /// A cancelled caller does not wait for it. bcrypt then ends with its current round; PBKDF2 and scrypt cannot be interrupted,
    /// and their result is discarded.
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

        /// Decrypts, and lets the file go before the caller goes on, who may have the last use of it.
        ///
        /// - Returns: nil if the caller was cancelled before the work had begun: then it never begins.
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
