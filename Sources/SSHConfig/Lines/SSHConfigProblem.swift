/// A problem of a configuration, with its place.
public struct SSHConfigProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file as it was named, or the option, as ``SSHConfigPlace/file`` has it.
    public var file: String
    /// The line's number, from 1; nil for the whole file.
    public var line: Int?
    /// The problem, and the remedy if there is one; without a period at the end.
    public var problem: String
    /// The host that the line refuses to connect to (RefuseConnection); nothing is wrong with such a line. Nil for every other.
    public var refusedHost: String?

    /// A problem at a place.
    public init(file: String, line: Int? = nil, problem: String) {
        self.file = file
        self.line = line
        self.problem = problem
    }

    /// `file:line: problem`.
    public var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(problem)" }
}

/// The place of a setting.
public struct SSHConfigPlace: Sendable, Hashable, CustomStringConvertible {
    /// The file as named; the option as ssh(1) takes it, such as `-o Port=22`; or `command-line` for an argument without a
    /// keyword.
    public let file: String
    /// The line's number, from 1; 0 for an option.
    public let line: Int

    /// `file:line`, or the option.
    public var description: String { line == 0 ? file : "\(file):\(line)" }

    /// A setting that an argument makes without a keyword, such as the user before the host.
    static let commandLine = Self(file: "command-line", line: 0)

    /// The place of an option of the command line; ProxyJump has its own option, -J.
    static func option(_ text: String) -> Self {
        let jump = "ProxyJump="
        let (letter, value) = text.hasPrefix(jump) ? ("J", String(text.dropFirst(jump.count))) : ("o", text)
        return Self(file: "-\(letter) \(value.shellWord)", line: 0)
    }

    func problem(_ text: String) -> SSHConfigProblem {
        SSHConfigProblem(file: file, line: line == 0 ? nil : line, problem: text)
    }
}
