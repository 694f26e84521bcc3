/// Runs code that may block, or that is not ours, on the threads of the global pool, for a task that otherwise runs on an event
/// loop.
///
/// What is done is Sendable, so that it belongs to no actor: an actor's work stays where the actor is.
package enum BlockingWork {
    package nonisolated(nonsending) static func run<Result: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) -> Result in try await work() }
    }
}
