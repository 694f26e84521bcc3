/// Does what may block, or is not ours, on the threads of the global pool, for a task that otherwise runs on an event loop.
enum Aside {
    static func run<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation, _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskExecutorPreference(globalConcurrentExecutor) { () async throws(Failure) -> Result in try await work() }
    }
}
