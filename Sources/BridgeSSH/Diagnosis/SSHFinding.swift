internal import ErrorCore

/// One result of a diagnosis.
public struct SSHFinding: Sendable, Hashable, Codable {
    /// How good or bad it is.
    public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
        /// As it should be.
        case ok
        /// Worth knowing; there is nothing to do.
        case info
        /// Works, but surprises some programs or people.
        case notice
        /// Works, but is less safe than it should be.
        case weak
        /// What ended the diagnosis, as it would have ended a run.
        case failed
        /// Not examined, because an earlier failure or the configuration prevents it.
        case notReached = "not-reached"
    }

    /// The step it belongs to.
    public var step: SSHDiagnosisStep
    /// How good or bad it is.
    public var level: Level
    /// One or two plain sentences. Text from the server is truncated, and escaped where it holds control characters.
    public var text: String
    /// What to do next; empty if nothing has to be done.
    public var advice: String {
        get { Surface.library.wording(of: remedy) }
        set { remedy = newValue }
    }
    /// The same as the command line words it.
    package var remedy: String
    package var durationSeconds: Double?
    /// How long it took; nil where that was not measured.
    public var duration: Duration? {
        get { durationSeconds.map { .bounded(seconds: $0) } }
        set { durationSeconds = newValue?.seconds }
    }
    /// The facts behind the text, by name, for programs.
    public var details: [Detail]

    /// A fact.
    public struct Detail: Sendable, Hashable, Codable {
        /// Its name, stable.
        public var name: String
        /// What it is.
        public var value: Value

        /// A fact of this name.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The value of a fact.
    public enum Value: Sendable, Hashable, Codable {
        /// A text; one from the server is truncated and escaped.
        case text(String)
        /// Several texts.
        case texts([String])
        /// A whole number.
        case integer(Int)
        /// A number; a time is in seconds.
        case number(Double)
        /// Yes or no.
        case flag(Bool)
    }

    /// A finding.
    public init(
        _ step: SSHDiagnosisStep, _ level: Level, _ text: String, advice: String = "", duration: Duration? = nil,
        details: [Detail] = []
    ) {
        self.init(step, level, text, advice: advice, durationSeconds: duration?.seconds, details: details)
    }

    package init(
        _ step: SSHDiagnosisStep, _ level: Level, _ text: String, advice: String = "", durationSeconds: Double?,
        details: [Detail] = []
    ) {
        self.step = step
        self.level = level
        self.text = TerminalText.inert(text, limit: TextExtent.sentence.limit)
        remedy = TerminalText.inert(advice, limit: TextExtent.sentence.limit)
        self.durationSeconds = durationSeconds
        self.details = details.map { Detail($0.name, $0.value.inert) }
    }

    /// The fact of a name.
    public subscript(name: String) -> Value? { details.first { $0.name == name }?.value }
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
    /// From the best to the worst; what was not reached says nothing.
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
