/// Sentences, scripts and tests that speak of a client's words without being its output.
enum Prose {
    private static let phrases = [
        "if you see ", "if you get ", "if you receive ", "when you see ", "you may see ", "you might see ", "you will see ",
        " means that ", "\" means", "' means", "` means", "errors like ", "error like ", "such as \"", "such as '", "such as `",
        "e.g. ", "for example, ", "common error", "known issue", "should print ", "should fail with", "expected error",
        "troubleshoot:", "fix: ", "fixes #", "fixed #", "is not fatal", "can be ignored", "safely ignore", "error message \"",
        "message \"", "messages \"", "the words \"", "look for \"",
    ]
    static let openings = [
        "ok ", "not ok ", "=== RUN", "--- PASS", "--- FAIL", "+ ", "++ ", "//", "/*", "* @", "echo ", "$ echo ", "grep ",
        "$ grep ", "assert", "expect(",
    ]
    private static let calls = [
        "echo \"", "echo '", "grep -", "grep '", "grep \"", ".contains(", ".includes(", "assert ", "expect(", "assertEqual",
        "assertRaises", "errors.Is(", "printf(", "print(\"", "print('", "raise ", "throw new ", "panic(\"", "t.Errorf(",
        " PASSED",
        " ... ok",
    ]

    /// Without one of these, or of the openings, or a frame, a line speaks of no words.
    static let words = phrases + calls

    /// Whether the line speaks of words.
    static func speaks(in line: String, _ marks: LineMarks) -> Bool {
        if isFramed(line) { return true }
        return marks.contains(.prose) && speaks(in: line)
    }

    private static func speaks(in line: String) -> Bool {
        if openings.contains(where: { line.hasPrefix($0) }) { return true }
        if calls.contains(where: { line.mentions($0) }) { return true }
        let lower = line.lowercased()
        return phrases.contains { lower.mentions($0) } && !lower.mentions("this means that")
    }

    /// `*  a banner's line  *`
    private static func isFramed(_ line: String) -> Bool {
        guard let first = line.utf8.first, line.utf8.count > 4, first == line.utf8.last else { return false }
        return first == UInt8(ascii: "*") || first == UInt8(ascii: "#") || first == UInt8(ascii: "|")
    }
}
