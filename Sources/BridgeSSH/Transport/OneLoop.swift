internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One event loop for a process that does one thing: connections live there anyway, and what waits for them does not need a
/// thread of its own to be woken on.
package enum OneLoop {
    /// Runs tasks on the event loop. What blocks must not run there.
    ///
    /// The first use makes it the only loop of the process; it must come before any connection.
    package static let executor: any TaskExecutor = {
        NIOSingletons.groupLoopCountSuggestion = 1
        return LoopExecutor.of(MultiThreadedEventLoopGroup.singleton.next())
    }()
}

/// Runs tasks and sessions on an event loop. What blocks must not run there: see ``Aside``.
///
/// It is both executors in one, so that a task which prefers it is on its session's executor already wherever it goes on. With
/// one of each a task would be queued twice whenever it has waited for something: once to run at all, once to get to the session.
final class LoopExecutor: TaskExecutor, SerialExecutor {
    private let loop: any EventLoop
    /// What the sessions of the loop use in turn, none of them across a wait.
    let spare: NIOLoopBoundBox<SpareBuffer>

    private init(loop: any EventLoop) {
        self.loop = loop
        spare = .makeBoxSendingValue(SpareBuffer(), eventLoop: loop)
    }

    // Loops are few and live as long as the process.
    private static let all = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

    /// The loop's one executor: what is on it for one session is on it for the others too.
    static func of(_ loop: any EventLoop) -> LoopExecutor {
        all.withLock { all in
            if let executor = all[ObjectIdentifier(loop)] { return executor }
            let executor = LoopExecutor(loop: loop)
            all[ObjectIdentifier(loop)] = executor
            return executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute {
            job.runSynchronously(isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    func checkIsolated() { loop.preconditionInEventLoop() }
    func isIsolatingCurrentContext() -> Bool? { loop.inEventLoop }

    /// Whether the current task runs here whenever it is not on an actor.
    var isPreferred: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}
