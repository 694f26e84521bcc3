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
