internal import Synchronization

/// A configuration file in lines and sections, for a reader of many hosts: each line is parsed once, and of the sections that
/// `Host` begins a host reads those only that can be for it.
///
/// For the first host all lines are read, because ssh(1) refuses a file with a wrong line in any section. So the sections that
/// are left out for later hosts have been checked.
final class ParsedConfigurationFile: Sendable {
    struct Line: Sendable {
        let number: Int
        let content: Result<ConfigurationLine, LineProblem>
    }

    /// A part of the lines: what comes before the first `Host` or `Match`, or one of them and what follows it.
    private let sections: [ArraySlice<Line>]
    /// The sections of one host or of several, by their names.
    private let named: [String: [Int]]
    /// The sections that every host has to look at, with the patterns of those that only set values.
    private let common: [(index: Int, patterns: HostPatterns?)]
    private let wasRead = Mutex(false)

    init(_ bytes: [UInt8]) {
        var pieces = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if pieces.last?.isEmpty == true { pieces.removeLast() }
        var lines: [Line] = []
        var starts = [0]
        for (index, piece) in pieces.enumerated() {
            do throws(LineProblem) {
                guard let line = try ConfigurationLine(piece) else { continue }
                if ["host", "match"].contains(line.keyword) { starts.append(lines.count) }
                lines.append(Line(number: index + 1, content: .success(line)))
            } catch {
                lines.append(Line(number: index + 1, content: .failure(error)))
            }
        }
        sections = zip(starts, starts.dropFirst() + [lines.count]).map { lines[$0..<$1] }
        var named: [String: [Int]] = [:]
        var common: [(Int, HostPatterns?)] = []
        for (index, section) in sections.enumerated() {
            let words = Self.hosts(of: section)
            if let words, words.allSatisfy({ !$0.utf8.contains { "*?!".utf8.contains($0) } }) {
                for name in Set(words) { named[name, default: []].append(index) }
            } else {
                common.append((index, words.map { HostPatterns($0) }))
            }
        }
        (self.named, self.common) = (named, common)
    }

    /// What `Host` names in a section that only sets values; nil for any other.
    private static func hosts(of section: ArraySlice<Line>) -> [String]? {
        guard case .success(let first)? = section.first?.content, first.keyword == "host", !first.arguments.contains("")
        else { return nil }
        for line in section.dropFirst() {
            guard case .success(let line) = line.content, Keyword.rule(Keyword.name(line.keyword)) != nil,
                line.keyword != "include"
            else { return nil }
        }
        return first.arguments
    }

    /// Hands out the lines that a host has to read, in their order.
    ///
    /// - Parameters:
    ///   - left: called in the place of sections that are left out.
    ///   - body: called with each line.
    func read<Failure: Error>(
        for host: String, left: () -> Void, _ body: (Line) throws(Failure) -> Void
    ) throws(Failure) {
        guard wasRead.withLock({ $0 }) else {
            for section in sections { for line in section { try body(line) } }
            wasRead.withLock { $0 = true }
            return
        }
        var next = 0
        let fitting = common.filter { $0.patterns?.fit(host) ?? true }.map(\.index)
        for index in Self.merged(fitting, named[host] ?? []) {
            if index > next { left() }
            for line in sections[index] { try body(line) }
            next = index + 1
        }
        if next < sections.count { left() }
    }

    private static func merged(_ one: [Int], _ other: [Int]) -> [Int] {
        if other.isEmpty { return one }
        return (one + other).sorted()
    }
}

/// The parsed files of a reader of many hosts.
package final class ParsedConfigurationFiles: Sendable {
    private struct Key: Hashable {
        let path: String
        let isUsers: Bool
    }

    private let files = Mutex<[Key: ParsedConfigurationFile]>([:])

    package init() {}

    func file(_ path: String, isUsers: Bool, _ bytes: [UInt8]) -> ParsedConfigurationFile {
        files.withLock { files in
            let key = Key(path: path, isUsers: isUsers)
            if let known = files[key] { return known }
            let file = ParsedConfigurationFile(bytes)
            files[key] = file
            return file
        }
    }
}
