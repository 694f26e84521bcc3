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
                // Typed twice it stands for itself.
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
