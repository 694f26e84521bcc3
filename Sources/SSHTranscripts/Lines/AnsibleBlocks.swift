/// Recognises the parts of Ansible's output that take several lines: a result in YAML, and the announcement of a result.
///
/// A result names its host and the failure. An announcement and the steps at -vvv report the same failure, without the host's
/// name in the inventory. These lines count only if no result follows.
struct AnsibleBlocks: Sendable {
    /// A part of the output.
    enum Part {
        /// A separate line.
        case line(String)
        /// A whole result, as the lines of the `minimal` callback.
        case result([String])
        /// The message of an announcement without a result.
        case announcement([String])
    }

    private var announcement: AnsibleAnnouncement?
    private var result: Result?
    /// Steps that ended with ssh's own status, since the last result.
    private var steps: [String] = []
    /// The beginning of a line that repeats the last result, and its status.
    private var repetition: (start: String, status: String)?

    private static let maximumSteps = 64

    /// A result in YAML that has begun.
    private struct Result: Sendable {
        let heading: String
        let indent: Int
        var lines: [AnsibleYAML.Line] = []

        static let maximumLines = 10_000
    }

    /// Whether the next line must be read in any case.
    var isOpen: Bool { announcement != nil || result != nil }

    /// Whether no earlier line is pending.
    var isUnused: Bool { !isOpen && steps.isEmpty && repetition == nil }

    /// Reads the next line, which must be trimmed, and returns the parts that it completes. `indent` is the number of blanks that
    /// came before it.
    mutating func take(_ text: String, indent: Int) -> [Part] {
        if text.isEmpty { return [] }
        var parts: [Part] = []
        if let begun = result {
            if indent > begun.indent, begun.lines.count < Result.maximumLines {
                result?.lines.append(AnsibleYAML.Line(text: text, indent: indent))
                return []
            }
            parts = endResult(before: text)
        }
        if let (start, status) = repetition {
            repetition = nil
            if text.hasPrefix(start), text.mentions(status) { return parts }
        }
        if AnsibleMessages.announces(text) {
            parts += endAnnouncement()
            announcement = AnsibleAnnouncement(text)
            return parts
        }
        if AnsibleMessages.isStep(text) {
            if text.mentions("> (255, "), steps.count < Self.maximumSteps { steps.append(text) }
            return parts
        }
        if announcement != nil, AnsibleMessages.hasNoMessage(text) { return parts + endAnnouncement() }
        if AnsibleMessages.isResult(text) {
            (announcement, steps) = (nil, [])
            if AnsibleMessages.beginsYAML(text) {
                result = Result(heading: text, indent: indent)
                return parts
            }
            return parts + oneline(text)
        }
        if announcement != nil {
            // The search for Python on the host may fail before the task's header. The result follows.
            if text.hasPrefix("TASK ["), announcement?.isDiscovery == true { return parts + [.line(text)] }
            if !AnsibleMessages.beginsSection(text), announcement?.keep(text) == true { return parts }
            parts += endAnnouncement()
        }
        return parts + [.line(text)]
    }

    /// Returns the parts that were not complete at the end of the output.
    mutating func rest() -> [Part] {
        let parts = endResult()
        if announcement != nil { return parts + endAnnouncement() }
        defer { steps = [] }
        return parts + steps.map { .announcement([$0]) }
    }

    /// - Parameter next: the line after the result; nil at the end of the output.
    private mutating func endResult(before next: String? = nil) -> [Part] {
        guard let result else { return [] }
        self.result = nil
        if result.lines.isEmpty {
            // If the log does not keep indentation, the result follows as lines that rows read. Without them, the heading of a
            // failed task contains no cause, and the following lines are not the task's output.
            let tellsNothing = next.map { !AnsibleYAML.isEntry($0) && !$0.hasPrefix("{") } ?? false
            return tellsNothing && result.heading.mentions("FAILED! =>") ? [] : [.line(result.heading)]
        }
        return [.result(AnsibleResult.lines(heading: result.heading, AnsibleYAML.tree(result.lines)))]
    }

    private mutating func endAnnouncement() -> [Part] {
        guard let ended = announcement else { return [] }
        (announcement, steps) = (nil, [])
        return [.announcement(ended.message)] + ended.others.map { .line($0) }
    }

    /// The `oneline` callback prints the result of a command twice: as text with escaped line ends, and as JSON.
    private mutating func oneline(_ text: String) -> [Part] {
        guard let place = text.firstPlace(of: AnsibleResult.header), text.mentions(" | (stdout) ") else { return [.line(text)] }
        let name = text[..<place.lowerBound]
        let status = text[place.upperBound...].prefix { $0 != " " }
        repetition = ("\(name) | FAILED! => {", "\"rc\": \(status)")
        let lines = EscapedLines.split(AnsibleResult.onelineMessages(text)).filter { !$0.isEmpty }
        return [.result(["\(name)\(AnsibleResult.header)\(status) >>"] + lines)]
    }
}

/// The lines with which ansible-core announces a failed task from version 2.19 on: a message, its origin, the lines of the
/// playbook there, and the causes.
struct AnsibleAnnouncement: Sendable {
    private(set) var message: [String]
    /// Lines after the origin that are not in the form of an announcement.
    private(set) var others: [String] = []
    private var place = Place.message
    private var count = 0

    private enum Place { case message, origin, cause }

    /// Whether it announces the failed search for Python on a host.
    var isDiscovery: Bool { message.first.map(AnsibleMessages.isDiscovery) == true }

    private static let maximumLines = 64

    init(_ text: String) { message = [text.hasPrefix("[ERROR]: ") ? String(text.dropFirst("[ERROR]: ".count)) : text] }

    /// Reads the next line. Returns false if the announcement has become too long.
    mutating func keep(_ text: String) -> Bool {
        count += 1
        if count > Self.maximumLines { return false }
        if text.hasPrefix("Origin: ") {
            place = .origin
        } else if text == "<<< caused by >>>" {
            place = .cause
        } else if place == .message {
            message.append(text)
        } else if place == .origin, !Self.isExcerpt(text) {
            others.append(text)
        }
        return true
    }

    /// `4     - raw: exit 3`, `^ column 7`, `{'action': 'raw', …}`
    private static func isExcerpt(_ text: String) -> Bool {
        if text.hasPrefix("^ column ") || text.hasPrefix("column ") || text.hasPrefix("{'") || text.hasPrefix("[") { return true }
        let rest = text.drop { $0.isNumber }
        return rest.startIndex > text.startIndex && (rest.isEmpty || rest.first == " ")
    }
}

/// Reads the results that Ansible writes as YAML (`result_format=yaml`): a mapping of names to scalars. Only the outer level is
/// read.
enum AnsibleYAML {
    /// A line without the blanks around it, and the number of blanks before it.
    struct Line: Sendable {
        let text: String
        let indent: Int
    }

    /// The mapping in these lines.
    static func tree(_ lines: [Line]) -> JSONTree {
        var members: [String: JSONTree] = [:]
        var name = ""
        var value: [String] = []
        for line in lines {
            if line.indent == lines[0].indent, let (next, first) = entry(line.text) {
                if !name.isEmpty { members[name] = scalar(value) }
                (name, value) = (next, [first])
            } else {
                value.append(line.text)
            }
        }
        if !name.isEmpty { members[name] = scalar(value) }
        return .members(members)
    }

    /// Whether the line is the beginning of an entry.
    static func isEntry(_ text: String) -> Bool { entry(text) != nil }

    /// `rc: 3`, `stderr: |-`, `results:`
    private static func entry(_ text: String) -> (name: String, value: String)? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = text[name.endIndex...]
        guard !name.isEmpty, rest == ":" || rest.hasPrefix(": ") else { return nil }
        return (String(name), String(rest.dropFirst()).trimming(" "))
    }

    private static func scalar(_ lines: [String]) -> JSONTree {
        guard let first = lines.first else { return .null }
        switch first.first {
        case "|", ">": return .text(lines.dropFirst().joined(separator: "\n"))
        case "'": return .text(inner(lines.joined(separator: " "), "'").replacing("''", with: "'"))
        case "\"": return .text(unescaped(inner(folded(lines), "\"")))
        // A list or mapping.
        case nil: return .null
        default: break
        }
        let text = lines.joined(separator: " ")
        if text == "true" || text == "false" { return .flag(text == "true") }
        return Double(text).map { .number($0) } ?? .text(text)
    }

    private static func inner(_ text: String, _ quote: Character) -> String {
        let rest = text.dropFirst()
        return String(rest.last == quote ? rest.dropLast() : rest)
    }

    /// A backslash at the end of a line joins it with the next (YAML 1.2 section 7.3.1).
    private static func folded(_ lines: [String]) -> String {
        var text = ""
        for line in lines {
            if text.isEmpty {
                text = line
            } else if text.last == "\\" {
                text = text.dropLast() + (line.hasPrefix("\\ ") ? String(line.dropFirst()) : line)
            } else {
                text += " " + line
            }
        }
        return text
    }

    private static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch next {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "e": result.append("\u{1b}")
            default: result.append(next)
            }
        }
        return TerminalCodes.removed(from: result)
    }
}
