internal import Synchronization

/// Whether a host's sudo may be sent the password. Handed in: a fleet has more than one host to think of.
package protocol SudoPermit: Sendable {
    /// sudo asks for it.
    func mayAnswer() async -> SudoTurn

    /// It may be sent, and was not.
    func unused() async

    /// sudo has accepted or refused it.
    func answered(accepted: Bool) async

    /// sudo asked for it and did not get it, for this reason.
    func kept(because reason: String)
}

extension SudoPermit {
    package func kept(because reason: String) {}
}

/// What a ``SudoPermit`` says.
package enum SudoTurn: Sendable, Hashable {
    case offered
    /// It is kept back, for this reason; nil where the attempt is over.
    case withheld(String?)

    /// It was sent to this host before, and not accepted.
    package static let refusedBefore = SudoTurn.withheld("it was sent there in an attempt before, and not accepted")
}

/// How a command is run through sudo, whose questions have a number that only this run knows.
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

    /// The command line that runs a command.
    func text(for command: String) -> String {
        let script = "printf '%s\\n' \(marker) >&2; exec sh -c \"$0\""
        return "sudo -S -p \(ShellWord.quoted(prompt + "\n")) -- sh -c \(ShellWord.quoted(script)) " + ShellWord.quoted(command)
    }

    /// How long it is at most, in bytes.
    static func length(of command: String) -> Int {
        SudoCommandLine(nonce: String(repeating: "x", count: 28)).text(for: command).utf8.count
    }
}

/// The password for sudo on the host of one run. What one attempt sent and sudo did not accept, no other attempt sends again.
package final class RunSudo: SudoPermit {
    private enum Standing {
        case unused
        /// Sent, and not answered.
        case sent
        case accepted
        case refused
    }

    package let password: SudoPassword
    private let standing = Mutex(Standing.unused)
    private let reason = Mutex<String?>(nil)

    package init(_ password: SudoPassword) { self.password = password }

    package func mayAnswer() async -> SudoTurn {
        standing.withLock { standing in
            switch standing {
            case .unused:
                standing = .sent
                return .offered
            case .accepted: return .offered
            case .sent, .refused: return .refusedBefore
            }
        }
    }

    /// The message for a sudo that asked for the password and did not get it.
    package var note: String? { reason.withLock { $0 }.map(SudoPassword.note) }

    package func kept(because reason: String) { self.reason.withLock { $0 = reason } }

    package func unused() async { standing.withLock { if $0 == .sent { $0 = .unused } } }

    package func answered(accepted: Bool) async { standing.withLock { $0 = accepted ? .accepted : .refused } }
}
