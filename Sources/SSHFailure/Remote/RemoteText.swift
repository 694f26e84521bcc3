internal import ErrorCore

/// Reads a remote command's standard error.
package enum RemoteText {
    /// The trimmed lines of a text. A carriage return ends a line too, as in progress displays.
    static func lines(_ text: String) -> [String] {
        TerminalCodes.removed(from: text).split(whereSeparator: \.isNewline).map { trimmed(inert($0)[...]) }
            .filter { !$0.isEmpty }
    }

    /// A line that can be shown in parts: control characters become spaces.
    private static func inert(_ line: Substring) -> String {
        func stays(_ scalar: Unicode.Scalar) -> Bool { scalar == "\t" || TerminalText.isHarmless(scalar) }
        guard !line.unicodeScalars.allSatisfy(stays) else { return String(line) }
        var output = String.UnicodeScalarView()
        for scalar in line.unicodeScalars { output.append(stays(scalar) ? scalar : " ") }
        return String(output)
    }

    /// The last of these lines that may explain a failure, at most `count`, in order.
    static func tellingLines(of lines: [String], _ count: Int) -> [String] {
        Array(WindowsLines.joined(lines).lazy.reversed().filter { !isNoise($0) }.prefix(count).reversed())
    }

    /// The last line that may explain a failure; empty if there is none.
    static func tellingLine(_ text: String) -> String { tellingLines(of: lines(text), 1).last ?? "" }

    /// The last line; empty if there is none.
    static func lastLine(_ text: String) -> String { lines(text).last ?? "" }

    /// Whether a line is routine output of a shell, a terminal or a progress display, which is never a cause.
    package static func isNoise(_ line: String) -> Bool {
        let lower = line.lowercased()
        if tellingWarnings.contains(where: { lower.hasPrefix($0) }) { return false }
        return noise.contains { lower.mentions($0) } || noiseStarts.contains { lower.hasPrefix($0) }
            || lower == nonZero || lower.hasPrefix("connection to ") && lower.hasSuffix(" closed.")
    }

    /// The whole last line of Ansible's `minimal` callback, which only repeats that there was a status.
    package static let nonZero = "non-zero return code"

    /// Warnings that are the only message of a failure: fish's about a redirection, curl's about its output file, PHP's.
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
        "shared connection to ",
    ]

    private static func trimmed(_ line: Substring) -> String {
        var line = line
        while let first = line.first, first.isWhitespace { line.removeFirst() }
        while let last = line.last, last.isWhitespace { line.removeLast() }
        return String(line)
    }
}

/// Finds quoted text in all the styles of programs and languages.
enum RemoteQuotes {
    private static let marks: [Character: Set<Character>] = [
        "'": ["'"], "\"": ["\""], "`": ["'", "`"], "‘": ["’"], "“": ["”"], "«": ["»"], "»": ["«"], "„": ["“", "”"], "‚": ["‘"],
        "「": ["」"], "『": ["』"], "‹": ["›"], "›": ["‹"], "＂": ["＂"], "《": ["》"],
    ]

    /// All quotes in order, without nested ones.
    static func all(in text: [Character]) -> [RemoteLine.Quote] {
        var found: [RemoteLine.Quote] = []
        var offset = 0
        while offset < text.count {
            if let quote = quote(in: text, at: offset) {
                found.append(quote)
                offset = quote.range.upperBound
            } else {
                offset += 1
            }
        }
        return found
    }

    private static func quote(in text: [Character], at start: Int) -> RemoteLine.Quote? {
        guard let closing = marks[text[start]], mayOpen(text, start) else { return nil }
        var end = start + 1
        while end < text.count, !(closing.contains(text[end]) && mayClose(text, end)) { end += 1 }
        guard end < text.count else { return nil }
        var content = String(text[(start + 1)..<end])
        // French quotation marks have spaces inside.
        if text[start] != "'", text[start] != "\"" { content = content[...].trimmingBlanks }
        end += 1
        if text[start] == "'" { join(text, &content, &end) }
        return content.isEmpty ? nil : RemoteLine.Quote(range: start..<end, content: content)
    }

    /// Joins what GNU programs quote as a shell does: `'a'$'\t''b'` is one name.
    private static func join(_ text: [Character], _ content: inout String, _ end: inout Int) {
        while end < text.count {
            let escapes = text[end...].starts(with: ["$", "'"])
            guard escapes || text[end] == "'" else { return }
            let start = end + (escapes ? 2 : 1)
            guard let close = text[start...].firstIndex(of: "'") else { return }
            let piece = Array(text[start..<close])
            content += escapes ? unescaped(piece) : String(piece)
            end = close + 1
        }
    }

    private static func unescaped(_ text: [Character]) -> String {
        let simple: [Character: UInt8] = ["a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27]
        var bytes: [UInt8] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.first else {
                bytes += Array(String(character).utf8)
                continue
            }
            let digits = rest.prefix(3).prefix { ("0"..."7").contains($0) }
            if let value = UInt8(String(digits), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(digits.count)
            } else {
                bytes += simple[next].map { [$0] } ?? Array(String(next).utf8)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a quotation mark may open a quote: it must begin a word, which excludes `can't`. Scripts without spaces are
    /// exempt.
    private static func mayOpen(_ text: [Character], _ offset: Int) -> Bool {
        guard offset > 0, "'\"`»›".contains(text[offset]) else { return true }
        let previous = text[offset - 1]
        return previous.isWhitespace || "(:=,[{<".contains(previous) || !previous.isASCII
    }

    private static func mayClose(_ text: [Character], _ offset: Int) -> Bool {
        guard text[offset] == "'", offset + 1 < text.count else { return true }
        return !(text[offset + 1].isLetter && text[offset + 1].isASCII || text[offset + 1].isNumber)
    }
}

extension Substring {
    /// The text without surrounding white space.
    var trimmingBlanks: String {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

/// Escape sequences of terminals: colours, cursor movements, titles and other strings (ECMA-48 sections 5.4 and 5.6; xterm ends
/// a string with BEL, too).
package enum TerminalCodes {
    package static func removed(from text: String) -> String {
        guard text.utf8.contains(0x1B) else { return text }
        var kept = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1b}" else {
                kept.append(scalar)
                continue
            }
            switch rest.first {
            case "[":
                rest.removeFirst()
                while let next = rest.popFirst(), !("@"..."~").contains(next) {}
            case "]", "_", "P", "^":
                while let next = rest.popFirst(), next != "\u{07}" {
                    if next == "\u{1b}", rest.first == "\\" {
                        rest.removeFirst()
                        break
                    }
                }
            default: _ = rest.popFirst()
            }
        }
        return String(kept)
    }
}
