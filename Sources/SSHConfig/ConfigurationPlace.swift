/// Where a setting was made.
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
