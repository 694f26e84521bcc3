import BridgeSSH
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A running command, here or in a helper.
protocol ControlledCommand: Sendable {
    func cancel(signal: String?) async
    func resize(columns: Int, rows: Int) async
}

extension SSHExecution: ControlledCommand {}

/// How signals act on a run: the first that ends it does so in order, the second exits at once. While the run is not connected
/// there is nothing at the server to end in order, and work that cannot be cancelled is given up within a second.
final class RunControl: Sendable {
    private struct State {
        var isEnding = false
        var signal: String?
        var cancel: (@Sendable () -> Void)?
        var giveUp: (@Sendable () -> Void)?
        var isConnected = false
        var isConcluding = false
        var hasLeft = false
        var command: (any ControlledCommand)?
        var hasTerminal = false
    }
    private let state = Mutex(State())

    /// How long cancelling may take before the work is given up, and how long the final message may take then.
    private static let (patience, lastWords) = (DispatchTimeInterval.milliseconds(400), DispatchTimeInterval.milliseconds(900))

    /// The first signal, as its name without SIG.
    var signal: String? { state.withLock { $0.signal } }

    /// A task that is cancelled does not know by which signal; we do.
    func named(_ error: SSHError) -> SSHError {
        guard case .cancelled(nil) = error.evidence.event, let signal else { return error }
        var evidence = error.evidence
        evidence.event = .cancelled(signal: signal)
        return FailureClassifier.classify(evidence)
    }

    func received(_ number: Int32) {
        if number == SIGWINCH {
            guard let size = LocalTerminal.size else { return }
            return resize(columns: size.columns, rows: size.rows)
        }
        let status = ExitStatus(rawValue: 128 + number)
        guard !state.withLock({ $0.isConcluding }), end(by: SignalWatch.name(of: number)) else { leave(with: status) }
        giveUpLater(status)
    }

    /// What blocks a thread is not cancelled: a file that is a pipe, a name that is looked up, a helper that hangs.
    private func giveUpLater(_ status: ExitStatus) {
        guard let giveUp = state.withLock({ $0.giveUp }) else { return }
        let isStuck: @Sendable () -> Bool = { self.state.withLock { (!$0.isConnected || $0.hasLeft) && !$0.isConcluding } }
        let queue = DispatchQueue(label: "patience")
        queue.asyncAfter(deadline: .now() + Self.patience) { if isStuck() { giveUp() } }
        queue.asyncAfter(deadline: .now() + Self.lastWords) { if isStuck() { leave(with: status) } }
    }

    /// The person leaves a terminal session, perhaps because the server does not answer: what does not end at once is given up.
    func leaveSession() {
        state.withLock { $0.hasLeft = true }
        guard end(by: nil) else { leave(with: .cancelled) }
        giveUpLater(.cancelled)
    }

    /// Whether the person has left a session, of which a command may still run.
    var hasLeftSession: Bool { state.withLock { $0.hasLeft } }

    /// Ends the run in order.
    ///
    /// - Returns: false if that was asked for before.
    @discardableResult
    func end(by signal: String?) -> Bool {
        let (isFirst, command, cancel) = state.withLock { state in
            let isFirst = !state.isEnding
            state.isEnding = true
            if isFirst { state.signal = signal }
            return (isFirst, state.command, state.cancel)
        }
        guard isFirst else { return false }
        if let command { end(command) } else { cancel?() }
        return true
    }

    /// What ends a run that does not let itself be cancelled.
    func attach(giveUp: @escaping @Sendable () -> Void) { state.withLock { $0.giveUp = giveUp } }

    /// Whether there is a connection, or something else that has to be ended in order.
    func isConnected(_ isConnected: Bool) { state.withLock { $0.isConnected = isConnected } }

    /// All work is done and reporting begins: nothing is left that would have to be ended in order.
    func concludes() { state.withLock { $0.isConcluding = true } }

    /// What cancels the run while no command runs.
    func attach(cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.isEnding
        }
        if isLate { cancel() }
    }

    /// A command runs, until `finished`.
    func running(_ command: any ControlledCommand, hasTerminal: Bool) {
        let isLate = state.withLock { state in
            state.command = command
            state.hasTerminal = hasTerminal
            return state.isEnding
        }
        if isLate { end(command) }
    }

    func finished() {
        state.withLock { $0.command = nil }
    }

    private func end(_ command: any ControlledCommand) {
        Task { await command.cancel(signal: signal) }
    }

    func resize(columns: Int, rows: Int) {
        let (command, hasTerminal) = state.withLock { ($0.command, $0.hasTerminal) }
        guard hasTerminal, let command else { return }
        Task { await command.resize(columns: columns, rows: rows) }
    }
}
