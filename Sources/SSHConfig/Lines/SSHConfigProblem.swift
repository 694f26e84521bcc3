/// What is wrong with a configuration, and where.
public struct SSHConfigProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file as it was named, or the option, as ``SSHConfigPlace/file`` has it.
    public var file: String
    /// The line's number, from 1; nil where the whole file is meant.
    public var line: Int?
    /// What is wrong, and the remedy where there is one; without a period at the end.
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
