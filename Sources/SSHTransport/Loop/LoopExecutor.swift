package import NIOCore
internal import NIOPosix
internal import Synchronization

/// Runs tasks and sessions on an event loop. Blocking work must not run there: see ``BlockingWork``.
///
/// It is both executors in one, so that a task which prefers it is already on its session's executor wherever it resumes. With
/// one of each a task would be enqueued twice after every wait: once to run at all, once to reach the session.
package final class LoopExecutor: TaskExecutor, SerialExecutor {
    package let loop: any EventLoop
    /// Buffers that the sessions of the loop share in turn, none of them across a suspension.
    let spare: NIOLoopBoundBox<SpareBuffer>
    private let turn: NIOLoopBoundBox<Turn>

    /// One turn, a single task of the loop: a job, and the jobs that it resumes.
    ///
    /// Never within a channel's event: the end of a stream may arrive together with the last bytes, and a job that those bytes
    /// resume has to know of it. A class of its own, so that a turn asks once whether it is on its loop.
    private final class Turn {
        var isOn = false
        /// The jobs to run, in order. Enqueuing them as tasks of the loop would cost about as much again as running them.
        var jobs: [UnownedJob] = []
        /// Whether a task of the loop is scheduled for the jobs that one turn has left to the next.
        var isContinued = false
        /// Those that have bytes to send, which is not urgent: the jobs of this turn may add more.
        var writers: [any LoopWriter] = []

        func add(_ job: UnownedJob) {
            var jobs: [UnownedJob] = []
            swap(&jobs, &self.jobs)
            jobs.append(job)
            swap(&jobs, &self.jobs)
        }

        /// Removes the jobs that have run.
        func remove(_ count: Int) {
            var jobs: [UnownedJob] = []
            swap(&jobs, &self.jobs)
            if count == jobs.count { jobs.removeAll(keepingCapacity: true) } else { jobs.removeFirst(count) }
            swap(&jobs, &self.jobs)
        }
    }

    /// How many jobs run in one turn: jobs that keep resuming each other must not starve timers and other tasks.
    private static let longestTurn = 256

    private init(loop: any EventLoop) {
        self.loop = loop
        spare = .makeBoxSendingValue(SpareBuffer(), eventLoop: loop)
        turn = .makeBoxSendingValue(Turn(), eventLoop: loop)
    }

    // Loops are few and live as long as the process.
    private static let all = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

    /// The executor of one of the process's loops, of each in turn.
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
            if turn.isOn || turn.isContinued { return turn.add(job) }
        }
        loop.execute { self.takeTurn(job) }
    }

    /// Runs a job on the loop, or continues the last turn's remaining jobs, and runs the jobs that this enqueues.
    private func takeTurn(_ first: UnownedJob? = nil) {
        let turn = turn.value
        turn.isOn = true
        if let first { run(first) }
        var done = 0
        while done < min(turn.jobs.count, Self.longestTurn) {
            run(turn.jobs[done])
            done += 1
        }
        flushWriters(of: turn)
        if done > 0 { turn.remove(done) }
        turn.isOn = false
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
        if turn.isOn { turn.writers = turn.writers + [writer] } else { writer.flushPending() }
    }

    package func checkIsolated() { loop.preconditionInEventLoop() }
    package func isIsolatingCurrentContext() -> Bool? { loop.inEventLoop }

    /// Whether the current task runs here whenever it is not on an actor.
    package var isPreferred: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}
