internal import ErrorCore

/// One result of a diagnosis.
public struct SSHFinding: Sendable, Hashable, Codable {
    /// The severity of a finding.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        /// No problem.
        case ok
        /// Worth knowing; there is nothing to do.
        case info
        /// Works, but surprises some programs or people.
        case notice
        /// Works, but is less safe than it should be.
        case weak
        /// The failure that ended the diagnosis, as it would have ended a run.
        case failed
        /// Not examined, because an earlier failure or the configuration prevents it.
        case notReached = "not-reached"
    }

    /// The step it belongs to.
    public var step: SSHDiagnosisStep
    /// Its severity.
    public var level: Level
    /// One or two plain sentences. Text from the server is truncated, and its control characters are escaped.
    public var text: String
    /// What to do next; empty if there is nothing to do.
    public var advice: String {
        get { remedyText.library }
        set { remedyText = RemedyText(newValue) }
    }
    /// What can be typed, set or looked at, in the order of the ``advice``.
    public var remedies: [SSHRemedy] { remedyText.libraryRemedies }
    /// The advice in the command line's terms.
    package var remedy: String { remedyText.commandLine }
    /// The advice for both.
    package var remedyText: RemedyText
    package var durationSeconds: Double?
    /// The duration of the step; nil if it was not measured.
    public var duration: Duration? {
        get { durationSeconds.map { .bounded(seconds: $0) } }
        set { durationSeconds = newValue?.seconds }
    }
    /// The facts behind the text, by name, for programs.
    public var details: [Detail]

    /// A fact.
    public struct Detail: Sendable, Hashable, Codable {
        /// The name, which is stable.
        public var name: String
        /// The value.
        public var value: Value

        /// A fact with this name.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a fact.
    public enum Value: Sendable, Hashable, Codable {
        /// A text. Text from the server is truncated and escaped.
        case text(String)
        /// Several texts.
        case texts([String])
        /// An integer.
        case integer(Int)
        /// A number; times are in seconds.
        case number(Double)
        /// Yes or no.
        case flag(Bool)
    }

    /// A finding.
    public init(
        _ step: SSHDiagnosisStep, _ level: Level, _ text: String, advice: String = "", duration: Duration? = nil,
        details: [Detail] = []
    ) {
        self.init(step, level, text, remedy: RemedyText(advice), durationSeconds: duration?.seconds, details: details)
    }

    package init(
        _ step: SSHDiagnosisStep, _ level: Level, _ text: String, remedy: RemedyText, durationSeconds: Double? = nil,
        details: [Detail] = []
    ) {
        self.step = step
        self.level = level
        self.text = TerminalText.inert(text, limit: TextExtent.sentence.limit)
        remedyText = remedy.changed { TerminalText.inert($0, limit: TextExtent.sentence.limit) }
        self.durationSeconds = durationSeconds
        self.details = details.map { Detail($0.name, $0.value.inert) }
    }

    /// The fact with a name.
    public subscript(name: String) -> Value? { details.first { $0.name == name }?.value }
}

extension SSHFinding {
    private enum CodingKeys: String, CodingKey {
        case step, level, text, remedy, durationSeconds, details
        case remedyText = "remedyParts"
    }

    /// Decodes what ``encode(to:)`` has written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        step = try container.decode(SSHDiagnosisStep.self, forKey: .step)
        level = try container.decode(Level.self, forKey: .level)
        text = try container.decode(String.self, forKey: .text)
        remedyText = try RemedyText(from: container, text: .remedy, parts: .remedyText)
        durationSeconds = try container.decodeIfPresent(Double.self, forKey: .durationSeconds)
        details = try container.decode([Detail].self, forKey: .details)
    }

    /// Encodes the finding.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(step, forKey: .step)
        try container.encode(level, forKey: .level)
        try container.encode(text, forKey: .text)
        try remedyText.encode(to: &container, text: .remedy, parts: .remedyText)
        try container.encodeIfPresent(durationSeconds, forKey: .durationSeconds)
        try container.encode(details, forKey: .details)
    }
}

extension SSHFinding.Value {
    fileprivate var inert: SSHFinding.Value {
        func inert(_ text: String) -> String { TerminalText.inert(text, limit: TextExtent.sentence.limit) }
        return switch self {
        case .text(let text): .text(inert(text))
        case .texts(let texts): .texts(texts.prefix(TextExtent.count).map(inert))
        case .integer, .number, .flag: self
        }
    }
}

extension SSHFinding.Level {
    /// The rank from best to worst. A step that was not reached ranks lowest: it says nothing about the connection.
    var rank: Int {
        switch self {
        case .notReached: 0
        case .ok: 1
        case .info: 2
        case .notice: 3
        case .weak: 4
        case .failed: 5
        }
    }
}
