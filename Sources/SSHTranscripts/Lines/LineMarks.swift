/// The rules, other than rows, with known words in a line. One pass over the line's bytes finds them, so that no other rule is
/// tried.
struct LineMarks: OptionSet, Sendable {
    let rawValue: UInt8

    /// Lines that Python itself may have written.
    static let python = LineMarks(rawValue: 1)
    /// A library's name.
    static let family = LineMarks(rawValue: 2)
    /// Words of other programs that give the reason of a failed login.
    static let telling = LineMarks(rawValue: 4)
    /// Noise, explanations, and additions of wrappers.
    static let noise = LineMarks(rawValue: 8)
    /// Words of texts that discuss messages.
    static let prose = LineMarks(rawValue: 16)
    /// Words of an unknown client.
    static let unknownClient = LineMarks(rawValue: 32)
    /// A line that repeats another line.
    static let echo = LineMarks(rawValue: 64)
}

/// Sentences, scripts and tests that quote a client's messages but are not its output.
enum QuotedMessages {
    private static let phrases = [
        "if you see ", "if you get ", "if you receive ", "when you see ", "you may see ", "you might see ", "you will see ",
        " means that ", " means the ", " indicates the ", "\" means", "' means", "` means", "errors like ", "error like ",
        "such as \"", "such as '", "such as `",
        "e.g. ", "for example, ", "common error", "known issue", "should print ", "should fail with", " expected error",
        "troubleshoot:", " fix: ", "fixes #", "fixed #", "is not fatal", "can be ignored", "safely ignore", "error message \"",
        "message \"", "messages \"", "the words \"", "look for \"", "it's normal to see", "会收到以下错误", "可能会看到", "可能会遇到",
        "可能会出现类似", "のようなエラー", "have you ever ",
    ]
    static let openings = [
        "ok ", "not ok ", "fix: ", "expected error", "✓ ", "✔ ", "√ ", "=== RUN", "--- PASS", "--- FAIL", "+ ", "++ ", "//", "/*",
        "* @", "echo ", "$ echo ",
        "grep ",
        "$ grep ", "assert", "expect(",
    ]
    private static let calls = [
        "echo \"", "echo '", "grep -", "grep '", "grep \"", ".contains(", ".includes(", "assert ", "expect(", "assertEqual",
        "assertRaises", "errors.Is(", "re.compile(", "printf(", "printf '", "printf \"", "print(\"", "print('", "raise ",
        "throw new ",
        "print (\"", "print ('", "print(f\"", "print(f'",
        "panic(\"", "t.Errorf(",
        " PASSED",
        " ... ok",
    ]

    /// The words of such lines. A line without one of them, without an opening and without a frame is not such a line.
    static let words = phrases + calls

    /// Whether the line only discusses or quotes a message.
    static func contains(_ line: String, _ marks: LineMarks) -> Bool {
        if isFramed(line) || isCommit(line) || isDocument(line) { return true }
        return marks.contains(.prose) && speaks(in: line)
    }

    private static func speaks(in line: String) -> Bool {
        // PowerShell's line about an error begins as a shell's trace does.
        if line.hasPrefix("+ FullyQualifiedErrorId : ") { return false }
        if openings.contains(where: { line.hasPrefix($0) }) { return true }
        if calls.contains(where: { line.mentions($0) }) { return true }
        let lower = line.lowercased()
        // A program's own report of an error may quote the library's.
        let isReport = line.hasPrefix("ERROR ")
        return phrases.contains { lower.mentions($0) && !(isReport && $0.hasSuffix("message \"")) }
            && !lower.mentions("this means that")
    }

    /// `0a1b2c3 fix(ssh): Permission denied`: the title of a commit (conventionalcommits.org) after the commit's number.
    private static func isCommit(_ line: String) -> Bool {
        let number = line.utf8.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard (7...40).contains(number.count), line.utf8.dropFirst(number.count).first == UInt8(ascii: " ") else { return false }
        let type = line.dropFirst(number.count + 1).prefix { $0.isLetter }
        let rest = line.dropFirst(number.count + 1 + type.count)
        return titles.contains(String(type)) && (rest.hasPrefix(": ") || rest.hasPrefix("(") || rest.hasPrefix("!: "))
    }

    /// A heading, an item or a template that quotes a message: "- `Permission denied`: check the key".
    private static func isDocument(_ line: String) -> Bool {
        if line.hasPrefix("##") { return line.drop { $0 == "#" }.first == " " }
        // A comment of a script, with a tab before its text. A prompt and a heading have a blank.
        if line.hasPrefix("#\t") { return true }
        // A line that a patch adds to a document. A shell's trace has a blank.
        if line.hasPrefix("+"), let first = line.dropFirst().first, first.isLetter || first == "\\" { return true }
        // A manual's heading: `10.1 'The host key is not cached for this server'`.
        let number = line.prefix { $0.isNumber || $0 == "." }
        if number.contains("."), line.hasSuffix("'"), line.dropFirst(number.count).hasPrefix(" '") { return true }
        // A quoted sentence, and LaTeX's mark-up.
        if line.hasPrefix("\"") && line.hasSuffix("\".") && line.filter({ $0 == "\"" }).count == 2
            || line.hasPrefix("\\") && line.mentions("{")
        {
            return true
        }
        // An item of a list in a source, and of a manual's list of codes: `0x00CD "Connect to server lost"`.
        if line.hasPrefix("'"), line.hasSuffix("',") { return true }
        if line.hasPrefix("0x"), line.hasSuffix("\""), line.mentions(" \"") { return true }
        // An element of a list with more values, and an item of a list in a script's comment.
        if isInitializer(line) || line.hasPrefix("# - ") { return true }
        if line.hasPrefix("except ") || line.hasPrefix("} catch") { return true }
        // A script's statement that names an exception.
        if line.hasPrefix("from "), line.mentions(" import ") { return true }
        guard let quote = line.utf8.firstIndex(of: UInt8(ascii: "`")) else { return false }
        if line[quote...].mentions("${") { return true }
        // `- `, `* `, `1. `, `| `
        let mark = line[..<quote]
        guard mark.utf8.count < 6, mark.last == " ", mark.allSatisfy({ " -*|+•.)".contains($0) || $0.isNumber }) else {
            return false
        }
        let behind = line[line.utf8.index(after: quote)...]
        guard let end = behind.utf8.firstIndex(of: UInt8(ascii: "`")) else { return false }
        return behind.utf8.distance(from: end, to: behind.endIndex) > 4
    }

    /// An element of a list in a source, with more values after the message: `{"Permission denied", 255},`, `["…", "auth"],`,
    /// `{ L"…", CODE },`. An object of JSON has a colon after its first text.
    private static func isInitializer(_ line: String) -> Bool {
        guard line.hasPrefix("{") || line.hasPrefix("["), line.hasSuffix("},") || line.hasSuffix("],") else { return false }
        let text = line.dropFirst().drop { $0 == " " || $0 == "L" }
        guard text.first == "\"", let end = text.dropFirst().firstPlace(of: "\"") else { return false }
        return text[end.upperBound...].hasPrefix(", ")
    }

    /// A text of its own in a list of a source, whose opening is one of the lines before it: `for (const message of [`. In JSON a
    /// key is before the bracket.
    static func isListed(_ line: String, after others: LastLines) -> Bool {
        guard line.hasPrefix("\"") || line.hasSuffix("\",") else { return false }
        return others.last(12).contains { before in
            isInitializer(before) || before.hasSuffix("[") && lists.contains { before.mentions($0) }
        }
    }

    /// An item of a list in a document, below words that introduce messages: `You may see one of these:`; or a row of a table whose
    /// head is one of the lines before it.
    static func isItem(_ line: String, after others: LastLines) -> Bool {
        let isRow = line.hasSuffix("|")
        guard isRow || bullets.contains(where: { line.hasPrefix($0) }) else { return false }
        for before in others.last(12).reversed() {
            if isRow {
                if before.mentions("---"), before.allSatisfy({ "|-: ".contains($0) }) { return true }
            } else if !bullets.contains(where: { before.hasPrefix($0) }) {
                let lower = before.lowercased()
                return (before.hasSuffix(":") || before.hasSuffix("：")) && phrases.contains { lower.mentions($0) }
            }
        }
        return false
    }

    private static let bullets = ["• ", "- ", "* "]

    private static let lists = ["for (const ", "const ", "let ", "var ", " = [", ".each(["]

    private static let titles: Set<String> = [
        "build", "chore", "ci", "docs", "feat", "fix", "perf", "refactor", "revert", "style", "test",
    ]

    /// `*  a banner's line  *`
    private static func isFramed(_ line: String) -> Bool {
        guard let first = line.utf8.first, line.utf8.count > 4, first == line.utf8.last else { return false }
        return first == UInt8(ascii: "*") || first == UInt8(ascii: "#") || first == UInt8(ascii: "|")
    }
}

/// Lines of programs that retry. Only the result of the last attempt counts.
enum Retries {
    private static let words = [
        "[DEBUG]", "[WARN]", "etrying", "rying again", "leeping before", "retry attempt", "attempt #", "will retry",
        "Got error from ssh",
    ]

    /// Whether the line reports one of several attempts.
    static func contains(_ line: String) -> Bool { words.contains { line.mentions($0) } }
}

/// Lines in which a program repeats another of its lines.
enum Echoes {
    static let words = ["Install terminal quit with output: ", "Received install output: "] + summaries
    /// Lines at the end of a run of Capistrano and lftp, which people paste without the others.
    private static let summaries = ["The deploy has failed with an error: ", "Fatal error: max-retries exceeded ("]

    /// - Parameter isFirst: Whether no failure came before it, so that a summary repeats none.
    static func contains(_ line: String, isFirst: Bool = false) -> Bool {
        words.contains { line.mentions($0) } && !(isFirst && summaries.contains { line.mentions($0) })
    }
}

/// Emphasis in Markdown, which people add to the line that matters: `**Permission denied (publickey).**`
enum Emphasis {
    static func removed(from line: String) -> String { withoutClass(withoutMarks(line)) }

    /// `<class 'paramiko.ssh_exception.SSHException'>: Channel closed.`: a class as Python prints it, before its message.
    private static func withoutClass(_ line: String) -> String {
        guard let start = line.firstPlace(of: "<class '"),
            let end = line[start.upperBound...].firstPlace(of: "'>: "),
            !line[start.upperBound..<end.lowerBound].contains(" ")
        else { return line }
        return line[..<start.lowerBound] + line[start.upperBound..<end.lowerBound] + ": " + line[end.upperBound...]
    }

    private static func withoutMarks(_ line: String) -> String {
        guard line.hasPrefix("**"), line.hasSuffix("**") else { return opened(line) }
        let text = line.trimming("*")
        if line.hasPrefix("*** ") { return text.trimming(" ") }
        return text.isEmpty || text.first == " " || text.last == " " ? line : text
    }

    /// The line without the mark at its beginning or end, if the other mark is on another line.
    private static func opened(_ line: String) -> String {
        guard line.hasPrefix("**") || line.hasSuffix("**") else { return line }
        let text = line.trimming("*")
        let marks = line.utf8.count - text.utf8.count
        guard marks == 2, let first = text.first, let last = text.last, first != " ", last != " " else { return line }
        return text
    }
}

/// The lines that git shows from the server.
enum GitRemote {
    /// Whether this is the output of a hook or of a service. A build there indents the output of its programs further.
    static func isMessage(_ line: String) -> Bool { line.hasPrefix("remote: ") && !line.hasPrefix("remote:       ") }
}

/// A server's greeting in a frame, which ssh shows before the login. It never reports a failure.
enum Greeting {
    /// The lines without a framed greeting at the beginning.
    static func removed(from lines: [Substring]) -> [Substring] {
        guard let first = lines.firstIndex(where: { !$0.allSatisfy(\.isWhitespace) }), isRule(lines[first]) else { return lines }
        let behind = lines[(first + 1)...]
        // A frame has a closing line. Without one, the lines are the command's output.
        guard let last = behind.prefix(64).lastIndex(where: isRule) else { return lines }
        return Array(lines[(last + 1)...])
    }

    /// Whether a line begins or continues a frame of asterisks or number signs.
    static func goesOn(in line: String, _ isFramed: Bool) -> Bool {
        guard let first = line.utf8.first, first == UInt8(ascii: "*") || first == UInt8(ascii: "#") else { return false }
        return isFramed || line.utf8.count >= 4 && line.utf8.allSatisfy { $0 == first || $0 == 0x20 }
    }

    /// `*******`, `# # # #`, `+-----+`
    private static func isRule(_ line: Substring) -> Bool {
        let marks = line.filter { !$0.isWhitespace }
        return marks.count >= 4 && marks.allSatisfy { "*#=-_+~|".contains($0) }
    }
}

/// The lines of a stack trace, as Java, Node, Ruby and .NET print them after an exception.
enum StackLines {
    static func contains(_ quoted: String) -> Bool {
        // A mail or a forum quotes lines with an angle bracket.
        let line = quoted.hasPrefix(">") ? quoted.trimming("> \t") : quoted
        if line.hasPrefix("at ") || line.hasPrefix("... ") || line.hasPrefix("from ") || line.hasPrefix("Caused by: ") {
            return true
        }
        // Lines that cargo adds between the causes of an error.
        if line == "Caused by:" || line.hasPrefix("* attempted ") || line.hasPrefix("if the git CLI") { return true }
        if line.hasPrefix("attempted ssh-agent") || line.hasPrefix("https://doc.rust-lang.org/") { return true }
        if line.hasPrefix("level: '") || line.hasPrefix("Emitted 'error' event") || line == "}" { return true }
        // WinSCP's exception has the lines of the login after its reason.
        if line.hasPrefix("Authentication log (see session log") { return true }
        // The output of a command, as SSHKit adds it.
        if line.mentions(" stdout: ") || line.mentions(" stderr: ") { return true }
        return line.mentions(".rb:") && line.mentions(":in ")
    }
}
