import Dispatch

/// Runs `body` on a thread of its own, for a test that computes for seconds: on one of the few threads that all tests share it would
/// hold up those that wait for something.
public func withOwnThread<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await body() }
}

private final class ThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "computation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
