package import NIOCore
internal import NIOPosix
internal import Synchronization

/// Runs tasks and sessions on an event loop. Blocking work must not run there: see ``BlockingWork``.
///
/// It is both a task executor and a serial executor, so that a task which prefers it resumes on its session's executor. With
/// separate executors a task would be enqueued twice after every wait: once to run at all, once to reach the session.
package final class LoopExecutor: TaskExecutor, SerialExecutor {
    package let loop: any EventLoop
    /// Buffers that the sessions of the loop share in turn, none of them across a suspension.
    let spare: NIOLoopBoundBox<SpareBuffer>
    private let turn: NIOLoopBoundBox<Turn>

    /// One turn, a single task of the loop: a job, and the jobs that it resumes.
    ///
    /// A turn never runs within a channel's event: the end of a stream may arrive with the last bytes, and a job that those bytes
    /// resume must see it. It is a class so that the check for its loop is made only once a turn.
    private final class Turn {
        var isRunning = false
        /// The jobs to run, in order. Enqueuing them as tasks of the loop would cost about as much again as running them.
        @exclusivity(unchecked) var jobs: [UnownedJob] = []
        /// Whether a task of the loop is scheduled for the jobs that one turn has left to the next.
        var isContinued = false
        /// The sessions with bytes to send. Unsent bytes wait, because the jobs of this turn may add more.
        var writers: [any LoopWriter] = []

        /// Removes the jobs that have run.
        func remove(_ count: Int) {
            if count == jobs.count { jobs.removeAll(keepingCapacity: true) } else { jobs.removeFirst(count) }
        }
    }

    /// The most jobs that run in one turn: jobs that keep resuming each other must not starve timers and other tasks.
    private static let maximumJobsPerTurn = 256

    private init(loop: any EventLoop) {
        self.loop = loop
        spare = .makeBoxSendingValue(SpareBuffer(), eventLoop: loop)
        turn = .makeBoxSendingValue(Turn(), eventLoop: loop)
    }

    // Loops are few and live as long as the process.
    private static let all = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

    /// The executor of the process's next loop, in rotation.
    package static func next() -> LoopExecutor { of(MultiThreadedEventLoopGroup.singleton.next()) }

    /// The loop's one executor, shared by all its sessions.
    static func of(_ loop: any EventLoop) -> LoopExecutor {
        all.withLock { all in
            if let executor = all[ObjectIdentifier(loop)] { return executor }
            let executor = LoopExecutor(loop: loop)
            all[ObjectIdentifier(loop)] = executor
            return executor
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop {
            let turn = turn.value
            if turn.isRunning || turn.isContinued { return turn.jobs.append(job) }
        }
        loop.execute { self.takeTurn(job) }
    }

    /// Runs a job on the loop, or continues the last turn's remaining jobs, and runs the jobs that this enqueues.
    private func takeTurn(_ first: UnownedJob? = nil) {
        let turn = turn.value
        turn.isRunning = true
        if let first { run(first) }
        var done = 0
        while done < min(turn.jobs.count, Self.maximumJobsPerTurn) {
            run(turn.jobs[done])
            done += 1
        }
        flushWriters(of: turn)
        if done > 0 { turn.remove(done) }
        turn.isRunning = false
        guard !turn.jobs.isEmpty, !turn.isContinued else { return }
        turn.isContinued = true
        loop.execute {
            self.turn.value.isContinued = false
            self.takeTurn()
        }
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    private func flushWriters(of turn: Turn) {
        while !turn.writers.isEmpty {
            let writers = turn.writers
            turn.writers = []
            for writer in writers { writer.flushPending() }
        }
    }

    /// Lets a session send its pending bytes at the end of this turn.
    func flushLater(_ writer: any LoopWriter) {
        let turn = turn.value
        if turn.isRunning { turn.writers = turn.writers + [writer] } else { writer.flushPending() }
    }

    package func checkIsolated() { loop.preconditionInEventLoop() }
    package func isIsolatingCurrentContext() -> Bool? { loop.inEventLoop }

    /// Whether the current task runs here whenever it is not on an actor.
    package var isPreferred: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}

/// A session with pending bytes. Confined to its loop.
protocol LoopWriter: AnyObject {
    /// Sends them.
    func flushPending()
}

/// A single event loop for a whole process. It carries the connections, and the tasks that wait for them need no other thread.
package enum SingleEventLoop {
    /// Runs tasks on the event loop. Blocking work must not run there.
    ///
    /// The first use makes it the only loop of the process; it must come before any connection.
    package static let executor: any TaskExecutor = {
        NIOSingletons.groupLoopCountSuggestion = 1
        return LoopExecutor.of(MultiThreadedEventLoopGroup.singleton.next())
    }()
}

/// An actor on an event loop.
protocol LoopActor: Actor {
    nonisolated var executor: LoopExecutor { get }
}

extension LoopActor {
    /// Suspends the caller until its continuation is resumed. This is the only way to wait for a change of the actor's state.
    ///
    /// A closure that does not mention its actor is not isolated to it, even inside a method of the actor. It then runs on any
    /// thread, and the compiler still lets it use values that are not Sendable (Swift 6.3). So only functions that take the
    /// actor as an isolated parameter may change lists of waiters: that makes such a closure an error.
    ///
    /// A continuation resumes on its task's preferred executor, and then hops to the actor's executor. Without a preference it
    /// would wake a thread of the pool on its way back to this loop. A task that waits more than once should already have the
    /// preference: setting and leaving it enqueues the task, too.
    ///
    /// - Parameters:
    ///   - enlist: runs on the actor if it mentions it, and must have the continuation resumed exactly once. The awaited event
    ///     may have come between the caller's check and this call.
    ///   - onCancel: runs on the actor after the caller's task is cancelled, possibly after the wait has ended or more than
    ///     once. It must resume the continuation if the caller still waits.
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
                // If the task was already cancelled, its handler may have run before the waiter was added.
                if Task.isCancelled { onCancel(self) }
            }
        } onCancel: {
            self.executor.loop.execute { self.assumeIsolated(onCancel) }
        }
    }
}
