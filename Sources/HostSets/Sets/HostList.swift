/// A list of hosts, one a line: what `--hosts-file` reads.
public enum HostList {
    /// The most bytes that a line may have.
    private static let maximumLine = 16 << 20

    /// Reads a list. A line is a host or an expression without groups; `#` begins a comment.
    ///
    /// - Throws: ``HostSetProblem`` with the line.
    public static func parse(_ text: String, file: String) throws -> HostSet {
        var hosts = HostAccumulator()
        var text = text
        hosts.reserve(text.withUTF8 { bytes in bytes.count { $0 == UInt8(ascii: "\n") } })
        for (index, line) in SourceLines(text).enumerated() {
            let content = String(decoding: SourceLines.trimmed(line.prefix { $0 != UInt8(ascii: "#") }), as: UTF8.self)
            if content.isEmpty { continue }
            do {
                if HostName.plain(content) != nil {
                    try hosts.add(FleetHost(name: content))
                    continue
                }
                if let host = host(content) {
                    try hosts.add(host)
                    continue
                }
                if line.count > maximumLine {
                    throw HostSetProblem(.malformed, "The line is longer than \(maximumLine >> 20) MiB.")
                }
                for host in try HostSet(String(content)) { try hosts.add(host) }
            } catch var problem as HostSetProblem {
                problem.location = .init(file: file, line: index + 1)
                throw problem
            }
        }
        return HostSet(unique: hosts.hosts)
    }

    /// The host of a line without ranges and operators: to evaluate each as an expression would take long. What is wrong with a
    /// line is found when it is evaluated.
    private static func host(_ line: String) -> FleetHost? {
        let bytes = Array(line.utf8)
        let isName = bytes.allSatisfy { isLetter($0) || isDigit($0) || "-._@:%[]".utf8.contains($0) }
        guard isName, !bytes.contains(UInt8(ascii: "[")) || Evaluator.isBracketedAddress(bytes[...]) else { return nil }
        return try? FleetHost.parse(line)
    }

    /// Reads a list from a file.
    ///
    /// - Throws: ``HostSetProblem``.
    public static func load(_ file: String, files: any HostFiles = LocalFiles()) throws -> HostSet {
        try parse(try text(of: file, files: files), file: file)
    }

    /// Reads a list from standard input.
    ///
    /// - Throws: ``HostSetProblem``.
    public static func standardInput() throws -> HostSet {
        let name = "standard input"
        return try parse(SourceAccess.text(of: try LocalFiles.read(0, name), name), file: name)
    }

    private static func text(of file: String, files: any HostFiles) throws -> String {
        try SourceAccess(files: files, runner: nil).textOfAnything(at: file)
    }
}

/// A line of a file of expressions: what `--each` reads.
public struct ExpressionLine: Sendable, Hashable {
    /// The line without its end. What is not UTF-8 in it is replaced.
    public var text: String
    /// Whether it is UTF-8.
    public var isValid: Bool

    /// The hosts of the line.
    ///
    /// - Throws: ``HostSetProblem``.
    public func resolve(_ body: (String) throws -> ResolvedHosts) throws -> ResolvedHosts {
        guard isValid else { throw HostSetProblem(.syntax, "The line is not valid UTF-8.") }
        return try body(text)
    }

    /// The lines of a file, a pipe or a device.
    ///
    /// - Parameter file: Its path; nil for standard input.
    /// - Throws: ``HostSetProblem`` if it cannot be read.
    public static func load(_ file: String?, files: any HostFiles = LocalFiles()) throws -> [ExpressionLine] {
        lines(of: try file.map { try files.read($0) } ?? LocalFiles.read(0, "standard input"))
    }

    /// The lines of a text. Each ends with a line feed, before which a carriage return may stand; the last one may have no end.
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

/// The hosts of an expression.
public struct ResolvedHosts: Sendable {
    /// The hosts.
    public var hosts: HostSet
    /// What the person should know: a group that is empty, a wildcard that matches nothing.
    public var notices: [String]

    /// Hosts, and what there is to say about them.
    public init(hosts: HostSet, notices: [String] = []) {
        self.hosts = hosts
        self.notices = notices
    }
}
