/// Recognises the parts of Ansible's output that take several lines: a result in YAML, and the announcement of a result.
///
/// A result names its host and the failure. An announcement and the steps at -vvv tell of the same failure, without the host's
/// name in the inventory. They count only if no result follows.
struct AnsibleBlocks: Sendable {
    /// A part of the output.
    enum Part {
        /// A line that stands by itself.
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

    /// Whether the next line must be read, whatever its text.
    var isOpen: Bool { announcement != nil || result != nil }

    /// Whether nothing is left of the lines so far.
    var isUnused: Bool { !isOpen && steps.isEmpty && repetition == nil }

    /// Reads the next line, which must be trimmed, and returns the parts that it completes. `indent` is the number of blanks
    /// that stood before it.
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
        if AnsibleWords.announces(text) {
            parts += endAnnouncement()
            announcement = AnsibleAnnouncement(text)
            return parts
        }
        if AnsibleWords.isStep(text) {
            if text.mentions("> (255, "), steps.count < Self.maximumSteps { steps.append(text) }
            return parts
        }
        if AnsibleWords.isResult(text) {
            (announcement, steps) = (nil, [])
            if AnsibleWords.beginsYAML(text) {
                result = Result(heading: text, indent: indent)
                return parts
            }
            return parts + oneline(text)
        }
        if announcement != nil {
            if !AnsibleWords.beginsSection(text), announcement?.keep(text) == true { return parts }
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
            // If the log does not keep indentation, the result follows as lines that rows read. Without them, the heading of a failed
            // task tells nothing, and the lines that follow are not the task's output.
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
