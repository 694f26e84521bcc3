extension TerminalText {
    /// Folds a text into lines of at most `width` columns. A line breaks at spaces and between East Asian characters, and inside
    /// a word only if the word is longer than a line. Line feeds are kept as breaks. A character wider than `width` gets its own
    /// line.
    ///
    /// A command in backquotes is never broken, so that it can be copied from the terminal. If it does not fit, it starts a new
    /// line, which may be longer than `width`.
    public static func fold(_ text: String, width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { foldLine($0, width: max(1, width)) }
    }

    private static func foldLine(_ line: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        for piece in pieces(of: line) {
            let needed = columns(piece)
            let blank = piece.allSatisfy { $0 == " " }
            if used + needed <= width {
                current += piece
                used += needed
                continue
            }
            // Drop the spaces at a break.
            if blank {
                if !current.isEmpty { lines.append(current.droppingTrailingSpaces) }
                (current, used) = ("", 0)
                continue
            }
            let head = current.droppingTrailingSpaces
            if !head.isEmpty { lines.append(head) }
            (current, used) = ("", 0)
            if piece.contains("`") {
                (current, used) = (String(piece), needed)
                continue
            }
            for character in piece {
                let wide = columns(character)
                if used + wide > width, !current.isEmpty {
                    lines.append(current)
                    (current, used) = ("", 0)
                }
                current.append(character)
                used += wide
            }
        }
        let tail = current.droppingTrailingSpaces
        return tail.isEmpty && !lines.isEmpty ? lines : lines + [tail]
    }

    /// The pieces of a line; it can be broken between them.
    private static func pieces(of line: Substring) -> [Substring] {
        var result: [Substring] = []
        var start = line.startIndex
        var previous: Character?
        var isCommand = false
        for index in line.indices {
            let character = line[index]
            if !isCommand, let last = previous, mayBreak(between: last, and: character) {
                result.append(line[start..<index])
                start = index
            }
            if character == "`" { isCommand = !isCommand && isClosed(line[index...]) }
            previous = character
        }
        if start < line.endIndex { result.append(line[start...]) }
        return result
    }

    /// Whether the backquote at the start has its partner within the length of a command.
    private static func isClosed(_ text: Substring) -> Bool { text.dropFirst().prefix(maximumCommandLength).contains("`") }

    private static let maximumCommandLength = 1000

    private static func mayBreak(between left: Character, and right: Character) -> Bool {
        if (left == " ") != (right == " ") { return true }
        if left == " " { return false }
        // A closing mark cannot begin a line, and an opening mark cannot end one.
        if "、。，．！？：；）」』】》〉”’…ー".contains(right) || "（「『【《〈“‘".contains(left) { return false }
        return columns(left) == 2 || columns(right) == 2
    }
}

extension String {
    fileprivate var droppingTrailingSpaces: String {
        guard let last = lastIndex(where: { $0 != " " }) else { return "" }
        return String(self[...last])
    }
}

/// A terminal line that is redrawn in place.
///
/// The cursor stays in the first column. When the window shrinks, some terminals (tmux, VTE, kitty, iTerm) fold the line into
/// several rows, others (xterm) cut it; both keep the cursor at its first character. So erasing from the cursor removes the whole
/// line, however many rows it has, and nothing above it.
package enum ProgressLine {
    /// Draws a line over the previous one. It must fit the window.
    package static func drawn(_ text: String) -> String { "\r" + text + eraseRest + "\r" }

    /// Erases the line.
    package static let erased = "\r" + eraseRest

    /// Erases from the cursor to the end of the screen (ECMA-48, ED 0).
    private static let eraseRest = "\u{1B}[J"
}
