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
        let opening = Opening()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard opening.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
                NIOThreadPool.singleton.submit { _ in
                    // If the caller is cancelled before the work has begun, the work never begins.
                    guard opening.isWanted else { return }
                    opening.end(Result { try self.decrypted(with: passphrase, while: { opening.isWanted }) })
                }
            }
        } onCancel: {
            opening.cancel()
        }
    }

    /// Resumes the caller once: with the key, or because it was cancelled.
    private final class Opening: Sendable {
        private let state = Mutex((caller: CheckedContinuation<SSHPrivateKey, any Error>?.none, isCancelled: false))

        var isWanted: Bool { state.withLock { !$0.isCancelled } }

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
