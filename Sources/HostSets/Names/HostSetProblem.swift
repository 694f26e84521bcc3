internal import ErrorCore

/// Why an expression, an inventory or a group file was refused: what is wrong, where, and what to do.
public struct HostSetProblem: Error, Sendable, Hashable {
    /// The kind of a problem. More kinds may be added.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// A kind by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// The expression cannot be parsed.
        public static let syntax = Kind(rawValue: "syntax")
        /// The inventory does not have the name.
        public static let unknownHost = Kind(rawValue: "unknown-host")
        /// The group, or the source of groups, does not exist.
        public static let unknownGroup = Kind(rawValue: "unknown-group")
        /// A wildcard or a group matches nothing.
        public static let nothingMatches = Kind(rawValue: "nothing-matches")
        /// There are more hosts than allowed.
        public static let tooMany = Kind(rawValue: "too-many")
        /// One host has two ports or two users.
        public static let contradiction = Kind(rawValue: "contradiction")
        /// The text cannot be the name of a host.
        public static let notAHost = Kind(rawValue: "not-a-host")
        /// A file cannot be read.
        public static let unreadable = Kind(rawValue: "unreadable")
        /// The content of a file is malformed.
        public static let malformed = Kind(rawValue: "malformed")
        /// The syntax is valid but not supported.
        public static let unsupported = Kind(rawValue: "unsupported")
        /// A program that was to print names failed.
        public static let programFailed = Kind(rawValue: "program-failed")
    }

    /// A position in a file.
    public struct Location: Sendable, Hashable, CustomStringConvertible {
        /// The file's path, as it was given.
        public var file: String
        /// The line, counted from 1.
        public var line: Int?
        /// A position in a file.
        public init(file: String, line: Int? = nil) {
            self.file = file
            self.line = line
        }
        /// `FILE:LINE`.
        public var description: String { line.map { "\(file):\($0)" } ?? file }
    }

    /// The kind of problem.
    public var kind: Kind
    /// The problem in one sentence.
    public var message: String
    /// The expression that contains the problem.
    public var expression: String?
    /// The position in the expression, as the number of characters before it.
    public var position: Int?
    /// The file and line.
    public var location: Location?
    /// Known names that are similar to an unknown one, nearest first.
    public var nearest: [String]
    /// The remedy.
    public var remedy: String?
    /// The remedy for the command line, if it differs.
    package var commandLineRemedy: String?

    /// A problem.
    public init(
        _ kind: Kind, _ message: String, expression: String? = nil, position: Int? = nil, location: Location? = nil,
        nearest: [String] = [], remedy: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.expression = expression
        self.position = position
        self.location = location
        self.nearest = nearest
        self.remedy = remedy
    }
}

extension HostSetProblem {
    /// The same problem in the words of the command line.
    package var forCommandLine: HostSetProblem {
        var problem = self
        problem.remedy = commandLineRemedy ?? remedy
        return problem
    }

    /// The same problem with a remedy for each reader.
    func remedied(library: String, commandLine: String) -> HostSetProblem {
        var problem = self
        problem.remedy = library
        problem.commandLineRemedy = commandLine
        return problem
    }

    /// The same problem if no source of groups was given.
    func withoutSources() -> HostSetProblem {
        remedied(
            library: "Groups come from HostSources.inventory and HostSources.groups.",
            commandLine: "Groups come from --inventory, --groups or ClusterShell's groups.conf.")
    }
}

extension HostSetProblem: CustomStringConvertible {
    /// The complete problem on several lines: position and message, the expression with a caret, the nearest names, the remedy.
    public var description: String {
        var lines = [location.map { "\($0): \(message)" } ?? message]
        if let caret { lines += caret }
        if let advice { lines.append(advice) }
        return lines.joined(separator: "\n")
    }

    /// The complete problem on one line.
    public var line: String {
        var text = location.map { "\($0): \(message)" } ?? message
        if let expression, let position, !hidesExpression {
            text += " (at character \(position + 1) of \(Self.shown(expression)))"
        }
        return [text, advice].compactMap { $0 }.joined(separator: " ")
    }

    /// Whether the expression is not shown: a URL may have a password.
    private var hidesExpression: Bool { expression?.contains("://") == true }

    /// The advice: the nearest names, then the remedy.
    public var advice: String? {
        let names = nearest.isEmpty ? nil : "Did you mean \(nearest.map(Self.shown).joined(separator: ", "))?"
        let sentences = [names, remedy].compactMap { $0 }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// The part of the expression around the position, and a caret below it.
    public var caret: [String]? {
        guard let expression, let position, !hidesExpression else { return nil }
        let characters = Array(expression)
        let place = min(max(position, 0), characters.count)
        let start = max(0, place - 60)
        let end = min(characters.count, place + 40)
        let excerpt = Self.shown(String(characters[start..<end]))
        let before = Self.shown(String(characters[start..<place]))
        return ["  " + excerpt, "  " + String(repeating: " ", count: TerminalText.columns(before)) + "^"]
    }

    /// A name that is longer than a host name may be.
    static func nameTooLong(_ name: String, _ location: Location) -> HostSetProblem {
        HostSetProblem(
            .malformed, "A name is longer than \(HostName.maximumLength) bytes: \(shown(String(name.prefix(40))))…",
            location: location)
    }

    /// Untrusted text for a message, with control characters escaped and its length limited.
    static func shown(_ text: String) -> String {
        if text.utf8.count <= 200, text.utf8.allSatisfy({ (32..<127).contains($0) }) { return text }
        var result = ""
        for scalar in text.unicodeScalars.prefix(200) {
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                || scalar.value == 0x2028 || scalar.value == 0x2029
            if isControl {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > 200 ? result + "…" : result
    }
}
