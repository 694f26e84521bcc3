import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Takes the escape characters out of what a person types into a terminal session, and acts on them.
final class SessionKeys: Sendable {
    private let keys: Mutex<EscapeKeys>
    private let control: RunControl
    private let name: String

    /// Nil where no person types into a terminal session, and where the configuration has no escape character.
    init?(of plan: RunPlan, at input: OpenedInput, _ control: RunControl) {
        guard plan.wantsTerminal, input.isTerminal,
            let character = EscapeKeys.character(named: plan.escapeCharacter ?? "~")
        else { return nil }
        keys = Mutex(EscapeKeys(character: character))
        name = character < 0x20 ? "^" + String(UnicodeScalar(character + 64)) : String(UnicodeScalar(character))
        self.control = control
    }

    /// - Returns: what is for the command; may be empty.
    func pass(_ typed: [UInt8]) -> [UInt8] {
        let (rest, actions) = keys.withLock { $0.pass(typed) }
        for action in actions {
            switch action {
            case .disconnect: control.leaveSession()
            case .suspend: kill(getpid(), SIGTSTP)
            case .help: Console.standardError(help)
            }
        }
        return rest
    }

    /// The same input without them.
    func passing(_ next: (@Sendable () async throws -> [UInt8]?)?) -> (@Sendable () async throws -> [UInt8]?)? {
        guard let next else { return nil }
        return { [self] in
            while let piece = try await next() {
                let rest = pass(piece)
                if !rest.isEmpty { return rest }
            }
            return nil
        }
    }

    private var help: String {
        """

        Escape characters, at the beginning of a line:
          \(name).   end the run now, also if the server does not answer
          \(name)^Z  stop bridge-ssh, until fg
          \(name)?   this list
          \(name)\(name)   type \(name)

        """
    }
}
