package import ErrorCore

/// What the two outputs of this process are, as far as it changes what is written to them.
package struct OutputForm: Sendable {
    /// Whether standard output is a terminal: then control sequences of hosts are escaped.
    package var isOutputTerminal = false
    /// Whether standard error is a terminal: then a progress line is drawn there.
    package var isErrorTerminal = false
    /// Whether both lead to the same place, so that a heading on one is read with text on the other.
    package var isShared = false
    /// Columns of the terminal.
    package var width = 80
    /// Whether colours are used at a terminal.
    package var color = false
    package var glyphs = TerminalBanner.Glyphs.unicode

    package init() {}

    /// Whether a stream is a terminal.
    package func isTerminal(_ stream: SSHEvidence.OutputStream) -> Bool {
        stream == .standardOutput ? isOutputTerminal : isErrorTerminal
    }

    /// A text of bridge-ssh's own.
    package func own(_ text: String) -> String { glyphs == .ascii ? TerminalText.ascii(text) : text }

    /// The begin of a text of bridge-ssh's own, as much of it as fits, with an ellipsis where something is missing.
    func own(_ text: String, cutToColumns width: Int) -> String {
        // The replacements take more room than what they stand for.
        let (text, ellipsis) = (own(text), glyphs == .ascii ? "..." : "…")
        guard TerminalText.columns(text) > width else { return text }
        let room = width - TerminalText.columns(ellipsis)
        guard room > 0 else { return String(ellipsis.prefix(max(0, width))) }
        var (begin, used) = ("", 0)
        for character in text {
            used += TerminalText.columns(String(character))
            guard used <= room else { break }
            begin.append(character)
        }
        return begin + ellipsis
    }

    /// A text in a colour, where there are colours.
    func painted(_ text: String, _ color: Int, on stream: SSHEvidence.OutputStream) -> String {
        self.color && isTerminal(stream) ? "\u{1B}[\(color)m\(text)\u{1B}[0m" : text
    }
}
