package import BridgeSSH
internal import Synchronization

/// A running command in this process or another.
package protocol ControlledCommand: Sendable {
    func cancel(signal: String?) async
    func resize(columns: Int, rows: Int) async
}

extension SSHExecution: ControlledCommand {}

/// Ends a run in order, and resizes its terminal, from outside the run. It cancels the command if one is running, otherwise the
/// run's task.
package final class RunControl: Sendable {
    private struct State {
        var isEnding = false
        var signal: String?
        var cancel: (@Sendable () -> Void)?
        var isConnected = false
        var hasLeft = false
        var leave: (@Sendable () -> Void)?
        var command: (any ControlledCommand)?
        var hasTerminal = false
        var isAtSudo = false
    }
    private let state = Mutex(State())

    package init() {}

    /// The name of the signal that ends the run, without SIG.
    package var signal: String? { state.withLock { $0.signal } }

    /// Whether there is a connection, or something else that must be ended in order.
    package var isConnected: Bool { state.withLock { $0.isConnected } }

    package func isConnected(_ isConnected: Bool) { state.withLock { $0.isConnected = isConnected } }

    /// Adds the signal's name to a cancellation: a cancelled task does not know it.
    package func named(_ error: SSHError) -> SSHError {
        guard case .cancelled(nil) = error.evidence.event, let signal else { return error }
        var evidence = error.evidence
        evidence.event = .cancelled(signal: signal)
        return SSHFailureClassifier.classify(evidence)
    }

    /// Ends the run in order.
    ///
    /// - Returns: false if this was requested before.
    @discardableResult
    package func end(by signal: String?) -> Bool {
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

    /// Called when the person leaves a terminal session, for example because the server does not answer.
    package func leaveSession() {
        let leave = state.withLock { state in
            state.hasLeft = true
            return state.leave
        }
        if let leave { leave() } else { end(by: nil) }
    }

    /// Whether the person left a terminal session. Its command may still be running.
    package var hasLeftSession: Bool { state.withLock { $0.hasLeft } }

    /// Sets the function that ends a session when the person leaves it.
    package func attach(leave: @escaping @Sendable () -> Void) { state.withLock { $0.leave = leave } }

    /// Sets the function that cancels the run while no command is running.
    package func attach(cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.cancel = cancel
            return state.isEnding
        }
        if isLate { cancel() }
    }

    /// Called when a command has started; it runs until ``finished()``.
    package func running(_ command: any ControlledCommand, hasTerminal: Bool) {
        let isLate = state.withLock { state in
            state.command = command
            state.hasTerminal = hasTerminal
            return state.isEnding
        }
        if isLate { end(command) }
    }

    package func finished() {
        state.withLock { ($0.command, $0.isAtSudo) = (nil, false) }
    }

    /// Whether sudo runs, and has not started the command yet.
    package var isAtSudo: Bool { state.withLock { $0.isAtSudo } }

    package func isAtSudo(_ isAtSudo: Bool) { state.withLock { $0.isAtSudo = isAtSudo } }

    private func end(_ command: any ControlledCommand) {
        Task { await command.cancel(signal: signal) }
    }

    /// Passes on the new size of the terminal.
    package func resize(columns: Int, rows: Int) {
        let (command, hasTerminal) = state.withLock { ($0.command, $0.hasTerminal) }
        guard hasTerminal, let command else { return }
        Task { await command.resize(columns: columns, rows: rows) }
    }
}
