/// Lines as clients wrote them, out of logs that carry them in another form.
struct TranscriptLines: Sendable {
    /// The lines of a result that spans several, and how deep its braces are nested.
    private var open: [String] = []
    private var depth = 0
    private var size = 0

    /// How many characters a result may have: more is no result.
    private static let longest = 1 << 20

    static func split(_ text: String) -> [String] {
        var lines = TranscriptLines()
        return text.split(whereSeparator: \.isNewline).flatMap { lines.take(String($0)) } + lines.rest()
    }

    /// What a line says; nothing while an Ansible result is not complete.
    mutating func take(_ line: String) -> [String] {
        let line = line.trimming(" \t\r")
        if open.isEmpty, !Self.begins(line) { return line.isEmpty ? [] : [line] }
        open.append(line)
        depth += Self.nesting(line)
        size += line.utf8.count + 1
        if depth > 0, size < Self.longest { return [] }
        return rest()
    }

    /// What was kept back.
    mutating func rest() -> [String] {
        defer { (open, depth, size) = ([], 0, 0) }
        return AnsibleResult.lines(open.joined(separator: "\n")) ?? open.filter { !$0.isEmpty }
    }

    /// `… UNREACHABLE! => {`, `… FAILED! => {`, or the one object that the JSON callback writes.
    private static func begins(_ line: String) -> Bool {
        line == "{" || line.hasSuffix("}") && line.contains("! => {") || line.hasSuffix("! => {")
    }

    /// How many braces a line opens more than it closes, those in strings apart.
    private static func nesting(_ line: String) -> Int {
        var depth = 0
        var quoted = false
        var escaped = false
        for character in line {
            if escaped {
                escaped = false
            } else if quoted, character == "\\" {
                escaped = true
            } else if character == "\"" {
                quoted.toggle()
            } else if !quoted {
                depth += character == "{" ? 1 : character == "}" ? -1 : 0
            }
        }
        return depth
    }
}
