/// A line of a file of expressions, as `--each` reads them.
public struct ExpressionLine: Sendable, Hashable {
    /// The line without its terminator. Invalid UTF-8 is replaced.
    public var text: String
    /// Whether the line is valid UTF-8.
    public var isValid: Bool

    /// The hosts of the line.
    ///
    /// - Throws: ``HostSetProblem``.
    public func resolve(_ body: (String) throws -> ResolvedHosts) throws -> ResolvedHosts {
        guard isValid else { throw HostSetProblem(.syntax, "The line is not valid UTF-8.") }
        return try body(text)
    }

    /// Reads the lines of a file, a pipe or a device.
    ///
    /// - Parameter file: Its path; nil for standard input.
    /// - Throws: ``HostSetProblem`` if it cannot be read.
    public static func load(_ file: String?, files: any HostFiles = LocalFiles()) throws -> [ExpressionLine] {
        lines(of: try file.map { try files.read($0) } ?? LocalFiles.read(0, "standard input"))
    }

    /// The lines of a text. Each ends with a line feed, or a carriage return and a line feed; the last line may lack both.
    public static func lines(of bytes: [UInt8]) -> [ExpressionLine] {
        var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { line in
            let content = line.last == 13 ? line.dropLast() : line
            let text = String(validating: content, as: UTF8.self)
            return ExpressionLine(text: text ?? String(decoding: content, as: UTF8.self), isValid: text != nil)
        }
    }
}
