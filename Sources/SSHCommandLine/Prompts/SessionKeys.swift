import Dispatch
import SSHRun
import Synchronization

/// Removes the escape characters from a person's typing in a terminal session, and acts on them.
final class SessionKeys: Sendable {
    private let keys: Mutex<EscapeKeys>
    private let control: RunControl
    private let name: String

    /// Nil without a terminal session or a person who types, and if the configuration disables the escape character.
    init?(of plan: RunPlan, at input: OpenedInput, _ control: RunControl) {
        guard plan.wantsTerminal, input.isTerminal,
            let character = EscapeKeys.character(named: plan.escapeCharacter ?? "~")
        else { return nil }
        keys = Mutex(EscapeKeys(character: character))
        name = character < 0x20 ? "^" + String(UnicodeScalar(character + 64)) : String(UnicodeScalar(character))
        self.control = control
    }

    /// - Returns: the bytes for the command; may be empty.
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

    /// The input without the escape characters.
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
          \(name).   end the run now, even if the server does not answer
          \(name)^Z  suspend bridge-ssh until fg
          \(name)?   this list
          \(name)\(name)   type \(name)

        """
    }
}

extension OpenedInput {
    /// The input for a command that this process runs.
    ///
    /// - Parameter keys: removes the escape characters from a terminal session's input; nil for other input.
    func commandInput(_ keys: SessionKeys?) -> CommandInput {
        let pieces = pieces
        return CommandInput(next: keys?.passing(pieces) ?? pieces, isRepeatable: isRepeatable, isTerminal: isTerminal)
    }
}

/// Reads single keys that a person presses at the terminal during a run, without an echo; ^C and ^Z stay signals.
///
/// While the process is in the background, another program has the terminal, and this neither reads nor changes it.
package final class RunKeys: Sendable {
    private let descriptor: Int32
    private let pressed: @Sendable (UInt8) -> Void
    private let queue = DispatchQueue(label: "keys")
    private let wake = Mutex<WakePipe?>(nil)

    /// How often to check whether the process is in the foreground: no signal reports that.
    private static let interval: Int32 = 250  // milliseconds

    /// Nil if standard input is not a terminal with a person.
    ///
    /// - Parameter pressed: receives each key, on a thread of its own.
    package init?(_ pressed: @escaping @Sendable (UInt8) -> Void) {
        guard isatty(0) == 1 else { return nil }
        descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { return nil }
        self.pressed = pressed
    }

    deinit { close(descriptor) }

    /// Starts to read keys.
    package func start() {
        let pipe = WakePipe()
        wake.withLock { $0 = pipe }
        queue.async { [self] in watch(until: pipe) }
    }

    /// Stops reading keys. The terminal's modes are restored when this returns.
    package func stop() async {
        guard let pipe = wake.withLock({ $0.take() }) else { return }
        pipe.ring()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func watch(until end: WakePipe) {
        let continued = WakePipe()
        SignalWatch.wakingAfterStop(continued) {
            var isChanged = false
            defer { if isChanged { TerminalGuard.restore(descriptor) } }
            while true {
                let isOurs = tcgetpgrp(descriptor) == getpgrp()
                if isOurs, !isChanged { isChanged = change() }
                // After a stop a shell may have restored its own modes.
                if isOurs { _ = TerminalGuard.renew(descriptor) }
                var watched = [end.readEnd, continued.readEnd, isOurs ? descriptor : -1].map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                let count = poll(&watched, nfds_t(watched.count), isOurs ? -1 : Self.interval)
                guard count > 0 else { continue }
                if watched[0].revents != 0 { return }
                if watched[1].revents != 0 { continued.reset() }
                // The terminal has hung up; its SIGHUP ends the run.
                if watched[2].revents & Int16(POLLHUP | POLLERR) != 0 { return }
                if watched[2].revents != 0 { read() }
            }
        }
    }

    private func change() -> Bool {
        TerminalGuard.change(descriptor, for: .keys) { attributes in
            attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            attributes.c_lflag |= tcflag_t(ISIG)
            withUnsafeMutableBytes(of: &attributes.c_cc) {
                $0[Int(VMIN)] = 1
                $0[Int(VTIME)] = 0
            }
        }
    }

    private func read() {
        // The process may have been stopped, or moved to the background, since poll returned.
        guard tcgetpgrp(descriptor) == getpgrp(), TerminalGuard.isModified(descriptor) else { return }
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            let count = readBytes(descriptor, buffer.baseAddress, buffer.count)
            for index in 0..<max(0, count) { pressed(buffer[index]) }
        }
    }
}

/// ssh's escape characters in a person's typing in a terminal session (ssh(1), ESCAPE CHARACTERS). They work at the beginning
/// of a line, and let a person leave a server that does not answer.
struct EscapeKeys {
    /// A request to bridge-ssh.
    enum Action: Equatable {
        /// `~.`
        case disconnect
        /// `~^Z`
        case suspend
        /// `~?`
        case help
    }

    /// The escape character, a byte; ssh's default is `~`.
    let character: UInt8

    private enum Place {
        case lineStart
        case afterEscape
        case inLine
    }
    private var place = Place.lineStart

    init(character: UInt8) { self.character = character }

    /// Takes typed bytes.
    ///
    /// - Returns: the bytes for the command, and the requests to bridge-ssh. Bytes after a disconnect are dropped.
    mutating func pass(_ typed: [UInt8]) -> (rest: [UInt8], actions: [Action]) {
        var rest: [UInt8] = []
        var actions: [Action] = []
        for byte in typed {
            switch place {
            case .lineStart where byte == character:
                place = .afterEscape
                continue
            case .afterEscape:
                if let action = Self.action(byte) {
                    actions.append(action)
                    if action == .disconnect { return (rest, actions) }
                    place = .lineStart
                    continue
                }
                // Typed twice, it is sent once.
                if byte != character { rest.append(character) }
            case .lineStart, .inLine: break
            }
            rest.append(byte)
            place = byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") ? .lineStart : .inLine
        }
        return (rest, actions)
    }

    private static func action(_ byte: UInt8) -> Action? {
        switch byte {
        case UInt8(ascii: "."): .disconnect
        case UInt8(ascii: "?"): .help
        case 0x1A: .suspend
        default: nil
        }
    }

    /// The character of `EscapeChar` as ssh's configuration prints it; nil for `none`.
    static func character(named printed: String?) -> UInt8? {
        guard let bytes = printed.map({ Array($0.utf8) }), printed != "none" else { return nil }
        if bytes.count == 3, bytes.starts(with: "\\^".utf8) { return bytes[2] == UInt8(ascii: "?") ? 0x7F : bytes[2] & 31 }
        return bytes.count == 1 ? bytes[0] : nil
    }
}
