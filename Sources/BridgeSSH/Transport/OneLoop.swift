internal import NIOCore
internal import NIOPosix

/// One event loop for a process that does one thing: connections live there anyway, and what waits for them does not need a
/// thread of its own to be woken on.
package enum OneLoop {
    /// Runs tasks on the event loop. What blocks must not run there.
    ///
    /// The first use makes it the only loop of the process; it must come before any connection.
    package static let executor: any TaskExecutor = {
        NIOSingletons.groupLoopCountSuggestion = 1
        return LoopExecutor(loop: MultiThreadedEventLoopGroup.singleton.next())
    }()
}

/// Runs tasks on an event loop. What blocks must not run there: see ``Aside``.
final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    init(loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
