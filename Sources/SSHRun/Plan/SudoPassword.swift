package import BridgeSSH
internal import Synchronization

/// The password for sudo on all hosts: given in advance, or asked for once, when the first host needs it.
package final class SudoPassword: Sendable {
    /// Why there is no password.
    package enum MissingReason: Sendable, Hashable {
        /// No person can be asked.
        case noTerminal
        /// The person typed nothing.
        case declined
    }

    package typealias Answer = Result<SSHSecret, Failure>
    package struct Failure: Error { let reason: MissingReason }
    /// Asks a person; nil if nothing was typed.
    package typealias Question = @Sendable () async throws -> SSHSecret?
    /// Runs a question, and prepares the terminal for it.
    package typealias PromptWrapper = @Sendable (_ ask: Question) async throws -> SSHSecret?

    private struct State {
        var answer: Answer?
        var asking: Task<Answer?, Never>?
        /// The number of hosts that wait for the answer.
        var waiting = 0
        var promptWrapper: PromptWrapper = { try await $0() }
    }

    private let question: Question
    private let state: Mutex<State>

    package init(_ secret: SSHSecret) {
        question = { nil }
        state = Mutex(State(answer: .success(secret)))
    }

    /// - Parameter question: nil if no person can be asked.
    package init(asking question: Question?) {
        self.question = question ?? { nil }
        state = Mutex(State(answer: question == nil ? .failure(Failure(reason: .noTerminal)) : nil))
    }

    /// Sets the wrapper in which the question is asked.
    package func wrapPrompt(_ body: @escaping PromptWrapper) { state.withLock { $0.promptWrapper = body } }

    /// The message for a sudo that did not get the password.
    package static func note(_ reason: String) -> String { "sudo asked for a password, but was not sent one: \(reason)" }

    /// Whether a person is being asked.
    var isBeingAsked: Bool { state.withLock { $0.asking != nil } }

    /// The password, if it is known already.
    package var known: SSHSecret? { state.withLock { try? $0.answer?.get() } }

    /// The password. If it is unknown, a person is asked for it; other hosts that need it meanwhile wait for the same answer. The
    /// question is withdrawn when all waiting hosts are cancelled.
    ///
    /// - Throws: ``Failure``; `CancellationError`.
    func secret() async throws -> SSHSecret {
        let asking = state.withLock { state -> Task<Answer?, Never>? in
            if state.answer != nil { return nil }
            let (promptWrapper, question) = (state.promptWrapper, question)
            // A separate task, and not that of the first host, because others wait for it too.
            let asking = state.asking ?? Task { try? await Self.ask(promptWrapper, question) }
            state.asking = asking
            state.waiting += 1
            return asking
        }
        if let asking {
            let answer = await withTaskCancellationHandler {
                await asking.value
            } onCancel: {
                let isLast = state.withLock { state in
                    guard state.asking == asking else { return false }
                    state.waiting -= 1
                    return state.waiting == 0
                }
                if isLast { asking.cancel() }
            }
            state.withLock { state in
                guard state.asking == asking else { return }
                (state.answer, state.asking, state.waiting) = (answer, nil, 0)
            }
        }
        guard let answer = state.withLock({ $0.answer }) else { throw CancellationError() }
        return try answer.get()
    }

    private static func ask(_ promptWrapper: PromptWrapper, _ question: @escaping Question) async throws -> Answer {
        guard let secret = try await promptWrapper(question), !secret.isEmpty else {
            return .failure(Failure(reason: .declined))
        }
        return .success(secret)
    }
}
