/// Turns terminal output of a device into lines of text. `\r`, backspaces and control sequences for line editing are applied; all
/// other sequences are dropped (ECMA-48 section 5.4, and 5.6 for strings).
///
/// Devices redraw the typed line, and overwrite a pager's question to erase it.
struct ShellScreen {
    /// A complete line.
    struct Line: Hashable {
        var bytes: [UInt8]
        /// False for a part of a line that is too long to be held.
        var isEnded = true
    }

    private enum Escape {
        case none
        /// After ESC.
        case begun
        /// Inside a control sequence, with its parameters.
        case sequence([UInt8])
        /// Inside a string, which ends with BEL or with ESC and a backslash.
        case string
        case stringEscape
        /// One more byte belongs to the sequence.
        case oneMore
    }

    /// The greatest length of a held line, in bytes.
    static let maximumLength = 1 << 16

    /// The incomplete line.
    private(set) var line: [UInt8] = []
    private var cursor = 0
    /// Whether a part of the line was overwritten. Then spaces at the end of the line are remains of the old text.
    private var isRewritten = false
    private var escape = Escape.none

    /// - Returns: the lines that these bytes completed.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Line] {
        var lines: [Line] = []
        for byte in bytes {
            if let complete = take(byte) { lines.append(complete) }
        }
        return lines
    }

    /// Returns the incomplete line, and starts a new one.
    mutating func takeRest() -> [UInt8] {
        defer { self = ShellScreen() }
        return text
    }

    /// The incomplete line, without spaces that only erase.
    var text: [UInt8] {
        guard isRewritten else { return line }
        var text = line
        while text.last == UInt8(ascii: " ") { text.removeLast() }
        return text
    }

    private mutating func take(_ byte: UInt8) -> Line? {
        if isEscaped(byte) { return nil }
        switch byte {
        case UInt8(ascii: "\n"): return complete(isEnded: true)
        case UInt8(ascii: "\r"): cursor = 0
        case 8: cursor = max(0, cursor - 1)
        case 0x1B: escape = .begun
        case UInt8(ascii: "\t"): put(byte)
        case 0..<0x20, 0x7F: break
        default: put(byte)
        }
        return line.count >= Self.maximumLength ? complete(isEnded: false) : nil
    }

    private mutating func complete(isEnded: Bool) -> Line {
        defer { (line, cursor, isRewritten) = ([], 0, false) }
        return Line(bytes: isEnded ? text : line, isEnded: isEnded)
    }

    private mutating func put(_ byte: UInt8) {
        if cursor < line.count {
            line[cursor] = byte
            isRewritten = true
        } else {
            line.append(byte)
        }
        cursor += 1
    }

    /// Whether the byte belongs to an escape sequence.
    private mutating func isEscaped(_ byte: UInt8) -> Bool {
        switch escape {
        case .none: return false
        case .begun: escape = Self.sequence(beginning: byte)
        case .oneMore: escape = .none
        case .string: escape = byte == 7 ? .none : byte == 0x1B ? .stringEscape : .string
        case .stringEscape: escape = byte == UInt8(ascii: "\\") ? .none : .string
        case .sequence(var parameters):
            if (0x40...0x7E).contains(byte) {
                escape = .none
                edit(byte, parameters)
            } else {
                if parameters.count < 16 { parameters.append(byte) }
                escape = .sequence(parameters)
            }
        }
        return true
    }

    private static func sequence(beginning byte: UInt8) -> Escape {
        switch byte {
        case UInt8(ascii: "["): .sequence([])
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"): .string
        case 0x20...0x2F: .oneMore
        default: .none
        }
    }

    /// Applies a control sequence that edits the line.
    private mutating func edit(_ final: UInt8, _ parameters: [UInt8]) {
        let number = Int(String(decoding: parameters, as: UTF8.self))
        switch final {
        case UInt8(ascii: "C"): move(to: cursor + max(1, number ?? 1))
        case UInt8(ascii: "D"): cursor = max(0, cursor - max(1, number ?? 1))
        case UInt8(ascii: "G"): move(to: max(1, number ?? 1) - 1)
        case UInt8(ascii: "K"), UInt8(ascii: "J"): erase(number ?? 0)
        default: break
        }
    }

    private mutating func move(to column: Int) {
        // Limit the column: no terminal is wider than 16 bits can express, but a device may send any number.
        let column = min(column, line.count + 4096, Self.maximumLength - 1)
        while line.count < column { line.append(UInt8(ascii: " ")) }
        cursor = column
    }

    private mutating func erase(_ part: Int) {
        switch part {
        case 0: if cursor < line.count { line.removeSubrange(cursor...) }
        case 1: for place in line.indices where place <= cursor { line[place] = UInt8(ascii: " ") }
        default:
            line = []
            cursor = 0
        }
    }
}
