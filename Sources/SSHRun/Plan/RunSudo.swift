package import BridgeSSH
internal import Synchronization

/// Decides whether the password may be sent to a host's sudo. The caller provides it: a fleet has several hosts to consider.
package protocol SudoPermit: Sendable {
    /// Called when sudo asks for the password.
    func mayAnswer() async -> SudoDecision

    /// Called when the password could have been sent but was not needed.
    func unused() async

    /// Called when sudo has accepted or refused the password.
    func answered(accepted: Bool) async

    /// Called when sudo asked for the password and did not get it, with the reason.
    func withheld(reason: String)
}

extension SudoPermit {
    package func withheld(reason: String) {}
}

/// The decision of a ``SudoPermit``.
package enum SudoDecision: Sendable, Hashable {
    case offered
    /// The password is withheld for this reason; nil if the attempt is over.
    case withheld(String?)

    /// An earlier attempt sent the password to this host, and sudo did not accept it.
    package static let refusedBefore = SudoDecision.withheld(
        "an earlier attempt sent it to this host, and sudo did not accept it")
}

/// Builds the command line for sudo. The prompt contains a random number that only this run knows.
struct SudoCommandLine {
    let prompt: String
    let marker: String

    init(nonce: String) {
        prompt = "bridge-ssh-sudo-\(nonce)-password"
        marker = "bridge-ssh-sudo-\(nonce)-started"
    }

    package static func makeNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(generator.next() as UInt32, radix: 36) }.joined()
    }

    /// The command line that runs a command through sudo.
    func text(for command: String) -> String {
        let script = "printf '%s\\n' \(marker) >&2; exec sh -c \"$0\""
        return "sudo -S -p \(ShellWord.quoted(prompt + "\n")) -- sh -c \(ShellWord.quoted(script)) " + ShellWord.quoted(command)
    }

    /// The greatest length of such a command line, in bytes.
    static func length(of command: String) -> Int {
        SudoCommandLine(nonce: String(repeating: "x", count: 28)).text(for: command).utf8.count
    }
}

/// The password for sudo on the host of one run. After sudo refused it in one attempt, no other attempt sends it.
package final class RunSudo: SudoPermit {
    private enum PasswordState {
        case unused
        /// Sent, and not answered yet.
        case sent
        case accepted
        case refused
    }

    package let password: SudoPassword
    private let state = Mutex(PasswordState.unused)
    private let reason = Mutex<String?>(nil)

    package init(_ password: SudoPassword) { self.password = password }

    package func mayAnswer() async -> SudoDecision {
        state.withLock { state in
            switch state {
            case .unused:
                state = .sent
                return .offered
            case .accepted: return .offered
            case .sent, .refused: return .refusedBefore
            }
        }
    }

    /// The message for a sudo that asked for the password and did not get it.
    package var note: String? { reason.withLock { $0 }.map(SudoPassword.note) }

    package func withheld(reason: String) { self.reason.withLock { $0 = reason } }

    package func unused() async { state.withLock { if $0 == .sent { $0 = .unused } } }

    package func answered(accepted: Bool) async { state.withLock { $0 = accepted ? .accepted : .refused } }
}

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
