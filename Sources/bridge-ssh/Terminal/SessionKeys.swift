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

    /// - Parameter character: the escape character; nil for none.
    init?(character: UInt8?, control: RunControl) {
        guard let character else { return nil }
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
