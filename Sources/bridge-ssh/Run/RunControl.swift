import BridgeSSH
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What signals do to a run: the first that ends it does so in order, the second leaves at once.
final class RunControl: Sendable {
    private struct State {
        var signal: Int32?
        var cancel: (@Sendable () -> Void)?
        var execution: SSHExecution?
        var hasTerminal = false
    }
    private let state = Mutex(State())

    /// The first signal, as its name without SIG.
    var signal: String? { state.withLock { $0.signal }.map(SignalWatch.name) }

    /// A task that is cancelled does not know by which signal; we do.
    func named(_ error: SSHError) -> SSHError {
        guard case .cancelled(nil) = error.evidence.event, let signal else { return error }
        var evidence = error.evidence
        evidence.event = .cancelled(signal: signal)
        return FailureClassifier.classify(evidence)
    }

    func received(_ number: Int32) {
        if number == SIGWINCH { return resize() }
        let (isFirst, execution, cancel) = state.withLock { state in
            let isFirst = state.signal == nil
            if isFirst { state.signal = number }
            return (isFirst, state.execution, state.cancel)
        }
        guard isFirst else { leave(with: ExitStatus(rawValue: 128 + number)) }
        if let execution { end(execution) } else { cancel?() }
    }

    /// What cancels the run while no command runs.
    func attach(_ cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.signal != nil
        }
        if isLate { cancel() }
    }

    /// A command runs, until `finished`.
    func running(_ execution: SSHExecution, hasTerminal: Bool) {
        let isLate = state.withLock { state in
            state.execution = execution
            state.hasTerminal = hasTerminal
            return state.signal != nil
        }
        if isLate { end(execution) }
    }

    func finished() {
        state.withLock { $0.execution = nil }
    }

    private func end(_ execution: SSHExecution) {
        Task { await execution.cancel(signal: signal) }
    }

    private func resize() {
        let (execution, hasTerminal) = state.withLock { ($0.execution, $0.hasTerminal) }
        guard hasTerminal, let execution, let size = LocalTerminal.size else { return }
        Task { await execution.resize(columns: size.columns, rows: size.rows) }
    }
}
