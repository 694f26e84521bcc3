/// Where a setting was made.
public struct SSHConfigPlace: Sendable, Hashable, CustomStringConvertible {
    /// The file as it was named; the option as ssh(1) takes it, such as `-o Port=22`; or `command-line` for what an argument
    /// says without a keyword.
    public let file: String
    /// The line's number, from 1; 0 for an option.
    public let line: Int

    /// `file:line`, or the option.
    public var description: String { line == 0 ? file : "\(file):\(line)" }

    /// What an argument says without a keyword, such as the user before the host.
    static let commandLine = Self(file: "command-line", line: 0)

    /// The place of an option of the command line; ProxyJump has a letter of its own.
    static func option(_ text: String) -> Self {
        let jump = "ProxyJump="
        let (letter, value) = text.hasPrefix(jump) ? ("J", String(text.dropFirst(jump.count))) : ("o", text)
        return Self(file: "-\(letter) \(value.shellWord)", line: 0)
    }

    func problem(_ text: String) -> SSHConfigProblem {
        SSHConfigProblem(file: file, line: line == 0 ? nil : line, problem: text)
    }
}
