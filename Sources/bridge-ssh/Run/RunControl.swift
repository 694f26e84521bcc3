import BridgeSSH
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A command that runs, here or in a helper.
protocol ControlledCommand: Sendable {
    func cancel(signal: String?) async
    func resize(columns: Int, rows: Int) async
}

extension SSHExecution: ControlledCommand {}

/// What signals do to a run: the first that ends it does so in order, the second leaves at once.
final class RunControl: Sendable {
    private struct State {
        var isEnding = false
        var signal: String?
        var cancel: (@Sendable () -> Void)?
        var command: (any ControlledCommand)?
        var hasTerminal = false
    }
    private let state = Mutex(State())

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
        guard end(by: SignalWatch.name(of: number)) else { leave(with: ExitStatus(rawValue: 128 + number)) }
    }

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

    /// What cancels the run while no command runs.
    func attach(_ cancel: @escaping @Sendable () -> Void) {
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
