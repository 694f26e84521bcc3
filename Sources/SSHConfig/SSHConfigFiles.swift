internal import Synchronization

/// Functions that find and read configuration files.
public struct SSHConfigFiles: Sendable {
    /// The result of reading a file.
    public enum Content: Sendable {
        /// Its bytes.
        case bytes([UInt8])
        /// Another user could have written it.
        case unsafe
        /// It cannot be read, for this errno; ENOENT if it is not there.
        case unreadable(errno: Int32)
    }

    /// Reads a file; `checkingOwner` refuses one that others could have written.
    public var read: @Sendable (_ path: String, _ checkingOwner: Bool) -> Content
    /// The paths that a `glob(7)` pattern fits, sorted.
    public var matching: @Sendable (_ pattern: String) -> [String]

    /// The parsed files, if they do not change while many hosts are resolved.
    package var parsed: ParsedConfigurationFiles?

    /// Files as given.
    public init(
        read: @escaping @Sendable (_ path: String, _ checkingOwner: Bool) -> Content,
        matching: @escaping @Sendable (_ pattern: String) -> [String]
    ) {
        self.read = read
        self.matching = matching
    }
}

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension SSHConfigFiles {
    /// The local file system. A file is safe if it belongs to the user or to root and neither its group nor others may write it
    /// (ssh_config(5), FILES).
    public static let system = SSHConfigFiles(read: { read($0, checkingOwner: $1) }, matching: { matching($0) })

    private static func read(_ path: String, checkingOwner: Bool) -> Content {
        do throws(WholeFile.Failure) {
            let (descriptor, status) = try WholeFile.opened(path)
            defer { close(descriptor) }
            if checkingOwner, (status.st_uid != 0 && status.st_uid != getuid()) || status.st_mode & 0o022 != 0 { return .unsafe }
            return .bytes(try WholeFile.read(descriptor))
        } catch {
            return .unreadable(errno: error.errno)
        }
    }

    private static func matching(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
    }
}

/// A configuration file in lines and sections, for a reader of many hosts: each line is parsed once, and for each host only
/// those `Host` sections are read that may apply to it.
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
    /// The sections that every host must examine, with the patterns of those that only set values.
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

    /// The patterns of `Host` in a section that only sets values; nil for any other section.
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

    /// Calls a closure with the lines that apply to a host, in their order.
    ///
    /// - Parameters:
    ///   - left: called for sections that are skipped.
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

/// The patterns of a `Host` line.
struct HostPatterns: Sendable {
    private let patterns: [(text: [UInt8], isNegated: Bool)]

    init(_ words: [String]) {
        patterns = words.map { word in
            let isNegated = word.hasPrefix("!")
            return (Array(word.utf8.dropFirst(isNegated ? 1 : 0)), isNegated)
        }
    }

    /// Whether what follows the line is for a host: one pattern fits it, and none with a `!` does.
    func fit(_ host: String) -> Bool {
        let host = Array(host.utf8)
        var fits = false
        for pattern in patterns where Pattern.fits(pattern.text, host) {
            if pattern.isNegated { return false }
            fits = true
        }
        return fits
    }
}
