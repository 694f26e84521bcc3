package import BridgeSSHFleet
package import ErrorCore

/// Properties of this process's standard output and standard error that affect what is written to them.
package struct OutputForm: Sendable {
    /// Whether standard output is a terminal. Control sequences of hosts are then escaped.
    package var isOutputTerminal = false
    /// Whether standard error is a terminal. A progress line is then drawn there, unless it cannot be erased.
    package var isErrorTerminal = false
    /// Whether that terminal knows no control sequences (TERM=dumb).
    package var isErrorDumb = false
    /// Whether both streams have the same target, so that a heading on one appears with the text on the other.
    package var isShared = false
    /// The columns of the terminal.
    package var width = 80
    /// Whether to use colours on a terminal.
    package var color = false
    package var glyphs = TerminalBanner.Glyphs.unicode

    package init() {}

    /// Whether a progress line can be drawn.
    var mayRedraw: Bool { isErrorTerminal && !isErrorDumb }

    package func isTerminal(_ stream: SSHEvidence.OutputStream) -> Bool {
        stream == .standardOutput ? isOutputTerminal : isErrorTerminal
    }

    /// One of bridge-ssh's own texts, in the glyphs in use.
    package func own(_ text: String) -> String { glyphs == .ascii ? TerminalText.ascii(text) : text }

    /// The start of one of bridge-ssh's own texts, as much as fits, with an ellipsis if it was cut.
    func own(_ text: String, cutToColumns width: Int) -> String {
        // The ASCII replacements are wider than the originals.
        let (text, ellipsis) = (own(text), glyphs == .ascii ? "..." : "…")
        guard TerminalText.columns(text) > width else { return text }
        let space = width - TerminalText.columns(ellipsis)
        guard space > 0 else { return String(ellipsis.prefix(max(0, width))) }
        var (begin, used) = ("", 0)
        for character in text {
            used += TerminalText.columns(String(character))
            guard used <= space else { break }
            begin.append(character)
        }
        return begin + ellipsis
    }

    /// A text in a colour, if colours are used.
    func painted(_ text: String, _ color: Int, on stream: SSHEvidence.OutputStream) -> String {
        self.color && isTerminal(stream) ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
}
