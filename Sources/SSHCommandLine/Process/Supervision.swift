import BridgeSSH
import Dispatch
import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// How signals to this process act on its work: the first that ends it does so in order, the second exits at once. While the work
/// is not connected there is nothing at the server to end in order, and work that cannot be cancelled is given up within a second.
final class Supervision: Sendable {
    private let control = RunControl()
    private let isConcluding = Mutex(false)
    private let giveUp: @Sendable (RunControl) -> Void
    /// Says what the first signal waits for, where that takes its time.
    private let saysWait: @Sendable () -> Void

    /// How long cancelling may take before the work is given up, and how long the final message may take then.
    private static let (patience, lastWords) = (DispatchTimeInterval.milliseconds(400), DispatchTimeInterval.milliseconds(900))

    /// - Parameter giveUp: ends work that does not let itself be cancelled.
    private init(_ saysWait: @escaping @Sendable () -> Void, giveUp: @escaping @Sendable (RunControl) -> Void) {
        self.saysWait = saysWait
        self.giveUp = giveUp
    }

    /// Runs work that signals cancel, and reports its outcome, with the terminal restored.
    ///
    /// - Parameters:
    ///   - unfinished: the outcome of work that a signal cannot cancel, because it waits in a system call.
    ///   - saysWait: says what the first signal waits for where that takes its time, and what another one does.
    ///   - publish: reports the outcome.
    /// - Returns: the exit status.
    static func perform<Outcome: Sendable>(
        saysWait: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable (RunControl) async -> Outcome,
        unfinished: @escaping @Sendable (RunControl) -> Outcome,
        publish: @escaping @Sendable (Outcome) async -> ExitStatus
    ) async -> ExitStatus {
        let supervision = Supervision(saysWait) { control in
            guard LastWord.take() else { return }
            // The executors may be what is blocked.
            Task(executorPreference: SpareExecutor()) { leave(with: await publish(unfinished(control))) }
        }
        let control = supervision.control
        SignalWatch.start { supervision.received($0) }
        let task = Task(executorPreference: OneLoop.executor) { await work(control) }
        control.attach(cancel: { task.cancel() })
        control.attach(leave: { supervision.left() })
        let outcome = await task.value
        LastWord.takeOrStay()
        // All work is done: nothing is left that would have to be ended in order.
        supervision.isConcluding.withLock { $0 = true }
        TerminalGuard.restore()
        return await publish(outcome)
    }

    private func received(_ number: Int32) {
        if number == SIGWINCH {
            guard let size = LocalTerminal.size else { return }
            return control.resize(columns: size.columns, rows: size.rows)
        }
        let status = ExitStatus(rawValue: 128 + number)
        guard !isConcluding.withLock({ $0 }), control.end(by: SignalWatch.name(of: number)) else { leave(with: status) }
        giveUpLater(status)
    }

    /// What does not end at once is given up.
    private func left() {
        guard !isConcluding.withLock({ $0 }), control.end(by: nil) else { leave(with: .cancelled) }
        giveUpLater(.cancelled)
    }

    /// What blocks a thread is not cancelled: a file that is a pipe, a name that is looked up, a helper that hangs.
    private func giveUpLater(_ status: ExitStatus) {
        let isStuck: @Sendable () -> Bool = {
            (!self.control.isConnected || self.control.hasLeftSession) && !self.isConcluding.withLock { $0 }
        }
        let queue = DispatchQueue(label: "patience")
        queue.asyncAfter(deadline: .now() + Self.patience) {
            if isStuck() { return self.giveUp(self.control) }
            if !self.isConcluding.withLock({ $0 }) { self.saysWait() }
        }
        queue.asyncAfter(deadline: .now() + Self.lastWords) { if isStuck() { leave(with: status) } }
    }
}
