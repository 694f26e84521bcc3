import BridgeSSH
import Synchronization

/// A lent call that returns only when it is interrupted, like a question that a person does not answer.
final class PendingLoan: LentCallRunner, Sendable {
    private struct State {
        var isInterrupted = false
        var continuation: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    func run<Value: Sendable>(_ call: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let isInterrupted = state.withLock { state in
                if !state.isInterrupted { state.continuation = continuation }
                return state.isInterrupted
            }
            if isInterrupted { continuation.resume() }
        }
        return call()
    }

    func interrupt() {
        let continuation = state.withLock { state in
            state.isInterrupted = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}
