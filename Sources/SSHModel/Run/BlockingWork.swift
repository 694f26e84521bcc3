/// Runs code that may block, or foreign code, on the threads of the global pool, for a task that otherwise runs on an event
/// loop.
///
/// The closure is Sendable, so it belongs to no actor. The work of an actor would stay on the actor's executor.
package enum BlockingWork {
    package nonisolated(nonsending) static func run<Result: Sendable, Failure: Error>(
        _ work: @Sendable () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) -> Result in try await work() }
    }
}
