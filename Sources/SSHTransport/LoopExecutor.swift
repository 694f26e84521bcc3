internal import NIOCore
internal import Synchronization

/// Runs tasks and sessions on an event loop. What blocks must not run there: see ``BlockingWork``.
///
/// It is both executors in one, so that a task which prefers it is on its session's executor already wherever it goes on. With
/// one of each a task would be queued twice whenever it has waited for something: once to run at all, once to get to the session.
package final class LoopExecutor: TaskExecutor, SerialExecutor {
    private let loop: any EventLoop
    /// What the sessions of the loop use in turn, none of them across a wait.
    let spare: NIOLoopBoundBox<SpareBuffer>
    private let turn: NIOLoopBoundBox<Turn>

    /// What goes on in one go, as one task of the loop: a job, and those that it wakes.
    ///
    /// Never within an event of a channel's: the end of a stream may come in one go with the last bytes, and who goes on because
    /// of those is to know of it.
    private struct Turn {
        var isOn = false
        /// Who goes on, in order. They need not be queued as tasks of the loop, which costs about as much again as to run them.
        var jobs: [UnownedJob] = []
        /// Whether there is a task of the loop for what one turn has left to the next.
        var isContinued = false
        /// The sessions that have something to send, which is not urgent: what goes on may have more.
        var writers: [Session] = []
    }

    /// How many jobs go on in one turn: those that keep waking each other are not to keep timers and other tasks waiting.
    private static let longestTurn = 256

    private init(loop: any EventLoop) {
        self.loop = loop
        spare = .makeBoxSendingValue(SpareBuffer(), eventLoop: loop)
        turn = .makeBoxSendingValue(Turn(), eventLoop: loop)
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

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop, turn.value.isOn || turn.value.isContinued {
            turn.value.jobs.append(job)
        } else {
            loop.execute { self.takeTurn(job) }
        }
    }

    /// Runs a job on the loop, or goes on with what the last turn has left, and runs what is queued by that.
    private func takeTurn(_ first: UnownedJob? = nil) {
        turn.value.isOn = true
        first.map(run)
        var done = 0
        while done < min(turn.value.jobs.count, Self.longestTurn) {
            run(turn.value.jobs[done])
            done += 1
        }
        flushWriters()
        turn.value.jobs.removeFirst(done)
        turn.value.isOn = false
        guard !turn.value.jobs.isEmpty, !turn.value.isContinued else { return }
        turn.value.isContinued = true
        loop.execute {
            self.turn.value.isContinued = false
            self.takeTurn()
        }
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    private func flushWriters() {
        while !turn.value.writers.isEmpty {
            let writers = turn.value.writers
            turn.value.writers = []
            for writer in writers { writer.assumeIsolated { $0.flush() } }
        }
    }

    /// Has a session send what it has to send at the end of this turn.
    func flushLater(_ session: isolated Session) {
        if turn.value.isOn { turn.value.writers.append(session) } else { session.flush() }
    }

    package func checkIsolated() { loop.preconditionInEventLoop() }
    package func isIsolatingCurrentContext() -> Bool? { loop.inEventLoop }

    /// Whether the current task runs here whenever it is not on an actor.
    package var isPreferred: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}
