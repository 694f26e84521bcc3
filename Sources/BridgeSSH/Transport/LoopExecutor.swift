internal import NIOCore
internal import Synchronization

/// Runs tasks and sessions on an event loop. What blocks must not run there: see ``Aside``.
///
/// It is both executors in one, so that a task which prefers it is on its session's executor already wherever it goes on. With
/// one of each a task would be queued twice whenever it has waited for something: once to run at all, once to get to the session.
final class LoopExecutor: TaskExecutor, SerialExecutor {
    private let loop: any EventLoop
    /// What the sessions of the loop use in turn, none of them across a wait.
    let spare: NIOLoopBoundBox<SpareBuffer>
    private let turn: NIOLoopBoundBox<Turn>

    /// What happens on the loop in one go: an event, and all that goes on because of it.
    private struct Turn {
        var isOn = false
        /// Who goes on, in order. They need not be queued as tasks of the loop, which costs about as much again as to run them.
        var jobs: [UnownedJob] = []
        /// The sessions that have something to send, which is not urgent: what goes on may have more.
        var writers: [Session] = []
    }

    /// How many jobs go on in one turn: those that keep waking each other are not to keep the loop from its events.
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

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop, turn.value.isOn || !turn.value.jobs.isEmpty {
            turn.value.jobs.append(job)
        } else {
            loop.execute { self.takeTurn { self.run(job) } }
        }
    }

    private func run(_ job: UnownedJob) {
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    /// Does what an event asks for on the loop, then runs the jobs that are queued by that.
    func takeTurn(_ event: () -> Void) {
        guard !turn.value.isOn else { return event() }
        turn.value.isOn = true
        event()
        var done = 0
        while done < min(turn.value.jobs.count, Self.longestTurn) {
            run(turn.value.jobs[done])
            done += 1
        }
        endTurn(done)
    }

    private func endTurn(_ done: Int) {
        var sent = 0
        while sent < turn.value.writers.count {
            turn.value.writers[sent].assumeIsolated { $0.flush() }
            sent += 1
        }
        turn.value.writers.removeAll(keepingCapacity: true)
        turn.value.jobs.removeFirst(done)
        turn.value.isOn = false
        if !turn.value.jobs.isEmpty { loop.execute { self.takeTurn {} } }
    }

    /// Has a session send what it has to send at the end of this turn.
    func flushLater(_ session: isolated Session) {
        if turn.value.isOn { turn.value.writers.append(session) } else { session.flush() }
    }

    func checkIsolated() { loop.preconditionInEventLoop() }
    func isIsolatingCurrentContext() -> Bool? { loop.inEventLoop }

    /// Whether the current task runs here whenever it is not on an actor.
    var isPreferred: Bool {
        withUnsafeCurrentTask { $0?.unownedTaskExecutor == asUnownedTaskExecutor() }
    }
}
