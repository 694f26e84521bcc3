/// A list of hosts, one per line, as `--hosts-file` reads it.
public enum HostList {
    /// The most bytes in a line.
    private static let maximumLine = 16 << 20

    /// Parses a list. A line contains a host or an expression without groups; `#` starts a comment.
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

    /// A fast path for lines without ranges and operators; nil for all other lines, whose evaluation also reports any problem.
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
        try SourceAccess(files: files, runner: nil).textIncludingPipes(at: file)
    }
}
