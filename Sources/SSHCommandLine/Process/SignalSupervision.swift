import BridgeSSH
import Dispatch
import SSHRun
import Synchronization

/// Runs work and handles signals meanwhile: the first signal cancels the work in order, the second exits at once. While the
/// work is not connected there is nothing to end on the server, and work that does not react to cancellation is abandoned
/// within a second.
final class SignalSupervision: Sendable {
    private let control = RunControl()
    private let isConcluding = Mutex(false)
    private let giveUp: @Sendable (RunControl) -> Void
    /// Says what the first signal waits for, if that takes long.
    private let showWaitNote: @Sendable (RunControl) -> Void

    /// How long cancelling may take before the work is abandoned, and when the process exits even without the final message.
    /// Both start at the signal.
    private static let (timeLimit, messageTimeLimit) = (
        DispatchTimeInterval.milliseconds(400), DispatchTimeInterval.milliseconds(900)
    )

    /// - Parameter giveUp: abandons work that does not react to cancellation.
    private init(_ showWaitNote: @escaping @Sendable (RunControl) -> Void, giveUp: @escaping @Sendable (RunControl) -> Void) {
        self.showWaitNote = showWaitNote
        self.giveUp = giveUp
    }

    /// Runs work that signals can cancel, restores the terminal, and reports the outcome.
    ///
    /// - Parameters:
    ///   - unfinished: the outcome of work that a signal cannot cancel, because it waits in a system call.
    ///   - showWaitNote: says what the first signal waits for, if that takes long, and what a second one does.
    ///   - publish: reports the outcome.
    /// - Returns: the exit status.
    static func perform<Outcome: Sendable>(
        showWaitNote: @escaping @Sendable (RunControl) -> Void = { _ in },
        _ work: @escaping @Sendable (RunControl) async -> Outcome,
        unfinished: @escaping @Sendable (RunControl) -> Outcome,
        publish: @escaping @Sendable (Outcome) async -> SSHExitStatus
    ) async -> SSHExitStatus {
        let supervision = SignalSupervision(showWaitNote) { control in
            guard FinalReportClaim.take() else { return }
            // The other executors may be blocked.
            Task(executorPreference: DedicatedThreadExecutor()) { leave(with: await publish(unfinished(control))) }
        }
        let control = supervision.control
        SignalWatch.start { supervision.received($0) }
        let task = Task(executorPreference: SingleEventLoop.executor) { await work(control) }
        control.attach(cancel: { task.cancel() })
        control.attach(leave: { supervision.left() })
        let outcome = await task.value
        FinalReportClaim.takeOrStay()
        // The work is done: from now on a signal exits at once.
        supervision.isConcluding.withLock { $0 = true }
        TerminalGuard.restore()
        return await publish(outcome)
    }

    private func received(_ number: Int32) {
        if number == SIGWINCH {
            guard let size = LocalTerminal.size else { return }
            return control.resize(columns: size.columns, rows: size.rows)
        }
        let status = SSHExitStatus(rawValue: 128 + number)
        guard !isConcluding.withLock({ $0 }), control.end(by: SignalWatch.name(of: number)) else { leave(with: status) }
        giveUpLater(status)
    }

    /// Ends the run because the person left it (`~.`), and abandons work that does not end at once.
    private func left() {
        guard !isConcluding.withLock({ $0 }), control.end(by: nil) else { leave(with: .cancelled) }
        giveUpLater(.cancelled)
    }

    /// Abandons the work after a time limit. Cancelling does not end work that blocks a thread: opening a pipe, looking up a
    /// name, a helper that hangs.
    private func giveUpLater(_ status: SSHExitStatus) {
        let isStuck: @Sendable () -> Bool = {
            (!self.control.isConnected || self.control.hasLeftSession) && !self.isConcluding.withLock { $0 }
        }
        let queue = DispatchQueue(label: "time limit")
        queue.asyncAfter(deadline: .now() + Self.timeLimit) {
            if isStuck() { return self.giveUp(self.control) }
            if !self.isConcluding.withLock({ $0 }) { self.showWaitNote(self.control) }
        }
        queue.asyncAfter(deadline: .now() + Self.messageTimeLimit) { if isStuck() { leave(with: status) } }
    }
}

/// Runs tasks on a thread of its own, even if the other executors are blocked.
final class DedicatedThreadExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "spare")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Takes signals one by one on a thread of its own, which has none of the limits of a signal handler.
enum SignalWatch {
    typealias Handler = @Sendable (Int32) -> Void
    private static let handler = Mutex<Handler?>(nil)

    /// Whether a signal that ends the process has arrived. Its effects may appear a moment later.
    static var isEnding: Bool {
        if hasEnd { return true }
        // Between two instructions the signal is no longer pending and not yet recorded.
        usleep(20_000)
        return hasEnd
    }

    private static let takenEnd = Atomic(false)

    private static var hasEnd: Bool {
        var pending = sigset_t()
        guard !takenEnd.load(ordering: .acquiring), sigpending(&pending) == 0 else { return true }
        return [SIGHUP, SIGINT, SIGQUIT, SIGTERM].contains { sigismember(&pending, $0) == 1 }
    }

    /// The pipes to ring whenever the process continues after a stop.
    private static let continuations = Mutex<[WakePipe]>([])

    /// Rings a pipe whenever the process continues after a stop, until `body` has returned.
    static func wakingAfterStop<Result>(_ pipe: WakePipe, _ body: () throws -> Result) rethrows -> Result {
        continuations.withLock { $0.append(pipe) }
        defer { continuations.withLock { $0.removeAll { $0 === pipe } } }
        return try body()
    }

    private static let repetitions = Mutex(SignalRepetitions())

    /// Handles signals from now on. A later call replaces the handler.
    ///
    /// - Parameter handle: receives signals that end the process, and SIGWINCH. SignalWatch itself handles signals that stop
    ///   and continue the process.
    static func start(_ handle: @escaping Handler) {
        let isRunning = handler.withLock { handler in
            defer { handler = handle }
            return handler != nil
        }
        if !isRunning { DispatchQueue(label: "signals").async { watch() } }
    }

    private static func watch() {
        var set = ProcessSetup.watchedSignals
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            switch number {
            case SIGTSTP: stop()
            case SIGCONT: continued()
            default: pass(number)
            }
        }
    }

    private static func pass(_ number: Int32) {
        if number != SIGWINCH { takenEnd.store(true, ordering: .releasing) }
        if repetitions.withLock({ $0.isRepetition(number) }) { return }
        handler.withLock { $0 }?(number)
    }

    /// Handles ^Z: restores the terminal, and stops the process as the default action would.
    private static func stop() {
        TerminalGuard.suspend()
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTSTP)
        pthread_kill(pthread_self(), SIGTSTP)
        // The process stops here, unless its group is orphaned: then nothing could continue it.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // The loop takes the signal that continued the process next.
        var pending = sigset_t()
        if sigpending(&pending) != 0 || sigismember(&pending, SIGCONT) != 1 { continued() }
    }

    /// Ends the run because the terminal has hung up. Its SIGHUP may come before or after this call, or never if the terminal
    /// belongs to another session. The first of the two ends the run, and the other is dropped.
    static func terminalHungUp() {
        guard !ProcessSetup.isIgnored(SIGHUP) else { return }
        let isFirst = repetitions.withLock { $0.isFirstHangup() }
        if isFirst { handler.withLock { $0 }?(SIGHUP) }
    }

    /// Handles SIGCONT: the terminal may still belong to another program, and may have another size. Signals that came with
    /// SIGCONT have lower numbers and are taken first.
    private static func continued() {
        TerminalGuard.resume()
        for pipe in continuations.withLock({ $0 }) { pipe.ring() }
        pass(SIGWINCH)
    }

    /// The name without SIG, as in SSH (RFC 4254 section 6.10).
    static func name(of number: Int32) -> String {
        switch number {
        case SIGTERM: "TERM"
        case SIGHUP: "HUP"
        case SIGQUIT: "QUIT"
        default: "INT"
        }
    }
}

/// Recognises a signal that repeats the event of an earlier one, and is not a second request to end.
struct SignalRepetitions {
    private enum Hangup {
        case none
        /// The program has seen the terminal hang up, and no SIGHUP has arrived.
        case seen
        case signalled
    }
    private var hangup = Hangup.none
    private var terminations = 0

    /// Takes a signal that has arrived.
    mutating func isRepetition(_ number: Int32) -> Bool {
        switch number {
        case SIGHUP:
            // A terminal that closes sends it twice, from the shell and from the kernel.
            defer { hangup = .signalled }
            return hangup != .none
        case SIGTERM:
            // timeout(1) sends it to this process and then to its group, which includes this process.
            terminations += 1
            return terminations == 2
        default: return false
        }
    }

    /// Takes the news that the terminal has hung up. Its SIGHUP may come before or after it.
    mutating func isFirstHangup() -> Bool {
        defer { if hangup == .none { hangup = .seen } }
        return hangup == .none
    }
}
