/// How a process ended.
public enum ProcessTermination: Sendable, Hashable {
    /// It called `exit` with this status, 0–255.
    case exited(Int32)
    /// This signal killed it.
    case signalled(Int32)
}

/// What a process printed and how it ended.
public struct ProcessResult: Sendable {
    /// How it ended.
    public let termination: ProcessTermination
    /// Its standard output. On a terminal, everything that the terminal showed.
    public let standardOutput: [UInt8]
    /// Its standard error. Empty on a terminal, which shows both together.
    public let standardError: [UInt8]

    /// Standard output as text, with replacement characters for invalid UTF-8.
    public var output: String { String(decoding: standardOutput, as: UTF8.self) }
    /// Standard error as text, with replacement characters for invalid UTF-8.
    public var errorOutput: String { String(decoding: standardError, as: UTF8.self) }
    /// The exit status, or nil if a signal killed it.
    public var exitStatus: Int32? { if case .exited(let status) = termination { status } else { nil } }
}

/// A process that should have succeeded did not.
public struct ProcessFailed: Error, CustomStringConvertible {
    /// The program and its arguments.
    public let command: [String]
    /// The result of the process.
    public let result: ProcessResult
    /// The command, its end and both outputs.
    public var description: String {
        "\(command.joined(separator: " ")): \(result.termination)\n\(result.output)\(result.errorOutput)"
    }
}

/// A process ran for longer than its limit and was killed.
public struct ProcessTimeout: Error, CustomStringConvertible {
    /// The program and its arguments.
    public let command: [String]
    /// The limit.
    public let limit: Duration
    /// What it had printed by then, both streams.
    public let text: String
    /// The command, the limit and what was printed.
    public var description: String { "\(command.joined(separator: " ")): still running after \(limit)\n\(text)" }
}
