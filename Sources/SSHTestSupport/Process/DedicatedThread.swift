import Dispatch

/// Runs `body` on a dedicated thread, for a test that computes for seconds. On one of the few shared threads, it would delay
/// the tests that wait for something.
public func withDedicatedThread<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await body() }
}

private final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "computation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
