internal import ErrorCore

/// Reading what a remote command wrote to standard error.
package enum RemoteText {
    /// Its lines, outermost blanks off; a carriage return ends a line too, as progress displays use it.
    static func lines(_ text: String) -> [String] {
        withoutEscapes(text).split(whereSeparator: \.isNewline).map { trimmed(inert($0)[...]) }.filter { !$0.isEmpty }
    }

    /// A line whose parts can be shown: what a terminal obeys becomes a space.
    private static func inert(_ line: Substring) -> String {
        func stays(_ scalar: Unicode.Scalar) -> Bool { scalar == "\t" || TerminalText.isHarmless(scalar) }
        guard !line.unicodeScalars.allSatisfy(stays) else { return String(line) }
        var output = String.UnicodeScalarView()
        for scalar in line.unicodeScalars { output.append(stays(scalar) ? scalar : " ") }
        return String(output)
    }

    /// The lines that may say why something failed, in order.
    static func tellingLines(_ text: String) -> [String] {
        lines(text).filter { !isNoise($0) }
    }

    /// The last line that may say why; empty where none does.
    static func tellingLine(_ text: String) -> String { tellingLines(text).last ?? "" }

    /// The last line of all; empty where there is none.
    static func lastLine(_ text: String) -> String { lines(text).last ?? "" }

    /// Text without a terminal's colours and cursor movements (ECMA-48 section 5.4, CSI sequences).
    private static func withoutEscapes(_ text: String) -> String {
        guard text.unicodeScalars.contains("\u{1b}") else { return text }
        var kept = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1b}" else {
                kept.append(scalar)
                continue
            }
            guard rest.first == "[" else { continue }
            rest.removeFirst()
            while let next = rest.popFirst(), !("@"..."~").contains(next) {}
        }
        return String(kept)
    }

    /// Whether a line is a shell's, a terminal's or a progress display's chatter, which never is a cause.
    package static func isNoise(_ line: String) -> Bool {
        let lower = line.lowercased()
        if tellingWarnings.contains(where: { lower.hasPrefix($0) }) { return false }
        return noise.contains { lower.mentions($0) } || noiseStarts.contains { lower.hasPrefix($0) }
    }

    /// Warnings that are the only words of a failure: fish's of a redirection, curl's of its output file, PHP's.
    package static let tellingWarnings = [
        "warning: an error occurred while redirecting", "warning: path '", "warning: failed to open the file",
        "warning: failed to create the file",
    ]

    package static let noise = [
        "setlocale", "setting locale failed", "check that your locale settings", "are supported and installed on your system",
        "falling back to", "inappropriate ioctl for device", "ttyname failed", "no value for $term",
        "could not chdir to home directory", "sudo: unable to resolve host", "no job control in this shell",
        "cannot set terminal process group", "records in", "records out", "records ein", "records aus", "permanently added",
        "post-quantum", "store now, decrypt later", "the server may need to be upgraded", "datensätze ein", "datensätze aus",
        "enregistrements lus", "enregistrements écrits", "% total", "dload  upload",
    ]

    package static let noiseStarts = [
        "perl: warning:", "lc_", "lang =", "language =", "stty:", "mesg:", "tput:", "cloning into", "remote: counting",
        "remote: compressing", "remote: enumerating", "remote: total", "receiving objects", "resolving deltas",
        "updating files", "unpacking objects", "last login:", "welcome to ", "warning: ", "** warning",
    ]

    private static func trimmed(_ line: Substring) -> String {
        var line = line
        while let first = line.first, first.isWhitespace { line.removeFirst() }
        while let last = line.last, last.isWhitespace { line.removeLast() }
        return String(line)
    }
}
