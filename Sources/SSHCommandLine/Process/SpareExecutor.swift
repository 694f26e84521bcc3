import Dispatch

/// Runs tasks on a thread of its own, whatever blocks the other executors.
final class SpareExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "spare")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
