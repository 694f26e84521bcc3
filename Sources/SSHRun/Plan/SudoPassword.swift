package import BridgeSSH
internal import Synchronization

/// The password for sudo on all hosts: known before the first, or asked for when a host wants it first, once.
package final class SudoPassword: Sendable {
    /// Why there is none.
    package enum Absence: Sendable, Hashable {
        /// No person can be asked.
        case noTerminal
        /// Nothing was typed.
        case declined
    }

    package typealias Answer = Result<SSHSecret, Failure>
    package struct Failure: Error { let absence: Absence }
    /// Asks a person; nil where nothing was typed.
    package typealias Question = @Sendable () async throws -> SSHSecret?
    /// Does something while a question has the terminal.
    package typealias Surroundings = @Sendable (_ ask: Question) async throws -> SSHSecret?

    private struct State {
        var answer: Answer?
        var asking: Task<Answer?, Never>?
        /// How many wait for the answer.
        var waiting = 0
        var surroundings: Surroundings = { try await $0() }
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
        state = Mutex(State(answer: question == nil ? .failure(Failure(absence: .noTerminal)) : nil))
    }

    /// What the question is asked within.
    package func surround(_ body: @escaping Surroundings) { state.withLock { $0.surroundings = body } }

    /// What is said where sudo did not get it.
    package static func note(_ reason: String) -> String { "sudo wanted a password, and was not sent one: \(reason)" }

    /// Whether a person is being asked.
    var isBeingAsked: Bool { state.withLock { $0.asking != nil } }

    /// The password, if it is known by now.
    package var known: SSHSecret? { state.withLock { try? $0.answer?.get() } }

    /// The password, which a person is asked for if it is not known. Hosts that want it meanwhile wait for the same answer. The
    /// question ends when all who wait for it are cancelled.
    ///
    /// - Throws: ``Failure``; `CancellationError`.
    func secret() async throws -> SSHSecret {
        let asking = state.withLock { state -> Task<Answer?, Never>? in
            if state.answer != nil { return nil }
            let (surroundings, question) = (state.surroundings, question)
            // Not the task of the host that wants it first: others wait for it too.
            let asking = state.asking ?? Task { try? await Self.ask(surroundings, question) }
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

    private static func ask(_ surroundings: Surroundings, _ question: @escaping Question) async throws -> Answer {
        guard let secret = try await surroundings(question), !secret.isEmpty else {
            return .failure(Failure(absence: .declined))
        }
        return .success(secret)
    }
}
