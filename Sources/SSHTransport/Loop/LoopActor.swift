internal import NIOCore

/// An actor on an event loop.
protocol LoopActor: Actor {
    nonisolated var executor: LoopExecutor { get }
}

extension LoopActor {
    /// Suspends the caller until its continuation is resumed: the one way to wait for something of the actor's.
    ///
    /// A closure that does not mention its actor belongs to no actor, even inside of an actor's method. It then runs on any
    /// thread, and the compiler lets it touch what is not Sendable all the same (Swift 6.3). So lists of waiters are to be
    /// changed only by functions that take the actor as an isolated parameter, which makes such a closure an error.
    ///
    /// A continuation resumes where its task prefers to run, and only then goes on to the actor's executor: without a preference
    /// each would wake a thread of the pool on its way from this loop to this loop. A task that does more than to wait once had
    /// better come with the preference: to take it on and to give it up queues the task, too.
    ///
    /// - Parameters:
    ///   - enlist: runs on the actor as long as it mentions it, and sees to it that the continuation is resumed, once. What is
    ///     waited for may have come between the caller's look and this.
    ///   - onCancel: runs on the actor, once the caller's task is cancelled, possibly after the wait has ended or more than
    ///     once: it has the continuation resumed if it still waits.
    func suspended<Value: Sendable>(
        _ enlist: (CheckedContinuation<Value, Never>) -> Void,
        onCancel: @escaping @Sendable (isolated Self) -> Void
    ) async -> Value {
        if executor.isPreferred { return await continued(enlist, onCancel: onCancel) }
        return await withTaskExecutorPreference(executor) { await continued(enlist, onCancel: onCancel) }
    }

    private func continued<Value: Sendable>(
        _ enlist: (CheckedContinuation<Value, Never>) -> Void, onCancel: @escaping @Sendable (isolated Self) -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enlist(continuation)
                // The handler of a task that was cancelled before may have run before there was anybody to wake.
                if Task.isCancelled { onCancel(self) }
            }
        } onCancel: {
            self.executor.loop.execute { self.assumeIsolated(onCancel) }
        }
    }
}
