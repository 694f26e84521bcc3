/// What is wrong with a configuration, and where.
public struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file as it was named, or `command-line` for an option.
    public var file: String
    /// The line's number, from 1; nil where the whole file is meant.
    public var line: Int?
    /// What is wrong, and the remedy where there is one; without a period at the end.
    public var problem: String

    /// A problem at a place.
    public init(file: String, line: Int? = nil, problem: String) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// `file:line: problem`.
    public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(problem)" }

    /// The failure that it is: `ssh.local.config-invalid`.
    public var failure: SSHError {
        var evidence = Evidence(event: .configurationInvalid(file: file, line: line, problem: problem), stage: .local)
        evidence.libraryVersion = Library.version
        return FailureClassifier.classify(evidence)
    }
}

/// What is wrong with one line or value, before it is known where that stands.
struct LineProblem: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// Where a setting comes from.
public struct ConfigurationPlace: Sendable, Hashable, CustomStringConvertible {
    /// The file as it was named, or `command-line` for an option.
    public let file: String
    /// The line's number, from 1; 0 for an option.
    public let line: Int

    /// `file:line`, or `command-line`.
    public var description: String { line == 0 ? file : "\(file):\(line)" }

    func problem(_ text: String) -> ConfigurationProblem {
        ConfigurationProblem(file: file, line: line == 0 ? nil : line, problem: text)
    }
}
