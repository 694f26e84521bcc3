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
