extension TerminalText {
    /// The lines of a text, each at most `width` columns: broken at spaces and between East Asian characters, inside a
    /// word only if it is longer than a line. Line feeds break too; one character wider than `width` stands alone.
    ///
    /// A command, which stands in backquotes, is never broken: one that does not fit begins a line, and may be longer than it.
    /// What is copied from the terminal is then what was meant.
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
            // Spaces at a break belong to no line.
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

    /// The pieces between which a line may be broken.
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

    /// Whether a backquote at the start has its partner, near enough for a command.
    private static func isClosed(_ text: Substring) -> Bool { text.dropFirst().prefix(longestCommand).contains("`") }

    private static let longestCommand = 1000

    private static func mayBreak(between left: Character, and right: Character) -> Bool {
        if (left == " ") != (right == " ") { return true }
        if left == " " { return false }
        // A closing mark does not begin a line, an opening one does not end it.
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

/// One line of a terminal that is drawn again and again.
///
/// The cursor stays at its first column. A terminal that folds its lines anew when its window shrinks (tmux, VTE, kitty, iTerm)
/// keeps the cursor at the character where it stood, here the begin of what has become several rows; one that cuts them (xterm)
/// keeps it there too. So what is erased is the whole line, however many rows it takes by then, and nothing above it.
package enum ProgressLine {
    /// Draws a line, which must fit the window, over the one before.
    package static func drawn(_ text: String) -> String { "\r" + text + eraseRest + "\r" }

    /// Takes the line away.
    package static let erased = "\r" + eraseRest

    /// From the cursor to the end of the screen (ECMA-48, ED 0).
    private static let eraseRest = "\u{1B}[J"
}
