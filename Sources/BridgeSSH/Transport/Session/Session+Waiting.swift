internal import NIOCore

extension Session {
    /// Suspends the caller until somebody resumes it.
    ///
    /// A continuation resumes where its task prefers to run, and only then goes on to the actor's executor: without a preference
    /// each would wake a thread of the pool on its way from this loop to this loop.
    ///
    /// - Parameters:
    ///   - onCancel: called, on the event loop, when the caller's task is cancelled: it has to see to it that the caller is resumed.
    ///   - enlist: keeps the continuation, or resumes it at once.
    func suspend<Value: Sendable>(
        onCancel: @escaping @Sendable (isolated Session) -> Void, _ enlist: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withTaskExecutorPreference(executor) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { enlist($0) }
            } onCancel: {
                self.eventLoop.execute { self.assumeIsolated(onCancel) }
            }
        }
    }
}
