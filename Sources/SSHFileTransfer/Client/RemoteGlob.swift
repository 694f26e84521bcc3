extension SFTPClient {
    /// The most paths that a pattern may match.
    static let maximumMatches = 100_000

    /// The most names of one directory that a pattern is compared with: a server may list without end.
    static let maximumComparisons = 1_000_000

    /// The server's paths that match a pattern, sorted.
    ///
    /// `*` matches any characters except `/`, `?` matches one, `[a-z]` one of the set and `[!a-z]` one outside it; `\` escapes
    /// the next character. Only a pattern that begins with a dot matches a name that does. No pattern matches a name that is
    /// not UTF-8. A path without wildcards matches itself, and so does a path that exists under exactly that name.
    ///
    /// - Throws: ``SSHError``: `ssh.sftp.no-such-file` if nothing matches, `ssh.sftp.limit-exceeded` above 100,000 paths, or in
    ///   a directory of more than 1,000,000 entries.
    public func paths(matching pattern: String) async throws -> [String] {
        guard NamePattern.hasWildcards(pattern), try await found(.lstat(pattern)) == nil else { return [pattern] }
        var bases = [pattern.hasPrefix("/") ? "/" : ""]
        var parts = pattern.split(separator: "/").map(String.init)[...]
        var isFirst = true
        while let part = parts.popFirst() {
            guard NamePattern.hasWildcards(part) else {
                let name = NamePattern.literal(part)
                // Only existing paths match. A part without a wildcard before it is checked at the end, with the whole path.
                bases = bases.map { ServerPath.join($0, name) }
                if !isFirst { bases = try await existing(bases) }
                continue
            }
            let matcher = NamePattern(part)
            var next: [String] = []
            for base in bases {
                do {
                    next += try await names(in: base.isEmpty ? "." : base, matching: matcher, onlyDirectories: !parts.isEmpty)
                        .map { ServerPath.join(base, $0) }
                } catch let error as SSHError where !isFirst && Self.unlistable.contains(error.code) {
                    // As in a shell, a directory that may not be listed has no matches.
                }
                guard next.count <= Self.maximumMatches else {
                    throw await limitExceeded(in: pattern, "more than \(Self.maximumMatches) paths match")
                }
            }
            bases = next.sorted()
            isFirst = false
        }
        guard !bases.isEmpty else {
            throw await error(
                SSHFileProblem(.noSuchFile, .remote, operation: "find", path: pattern, detail: "no name there matches"))
        }
        return bases
    }

    private static let unlistable: [SSHError.Code] = [.sftpPermissionDenied, .sftpNoSuchFile, .sftpReadFailed]

    private func existing(_ paths: [String]) async throws -> [String] {
        let found = try await results(of: paths, atMost: 64) { try await self.found(.lstat($0)) != nil }
        return zip(paths, found).compactMap { (try? $1.get()) == true ? $0 : nil }
    }

    /// - Parameter onlyDirectories: leaves out entries that are neither directories nor symbolic links, which may lead to one.
    private func names(in directory: String, matching pattern: NamePattern, onlyDirectories: Bool) async throws -> [String] {
        var names: [String] = []
        var listing = list(directory).makeAsyncIterator()
        var compared = 0
        while let name = try await listing.nextName() {
            compared += 1
            guard compared <= Self.maximumComparisons else {
                await listing.end()
                throw await limitExceeded(in: directory, "more than \(Self.maximumComparisons) entries in one directory")
            }
            guard case .entry(let entry) = name, pattern.matches(entry.name) else { continue }
            let kind = entry.attributes.kind ?? .directory
            if onlyDirectories, kind != .directory, kind != .symbolicLink { continue }
            names.append(entry.name)
            guard names.count <= Self.maximumMatches else {
                await listing.end()
                throw await limitExceeded(in: directory, "more than \(Self.maximumMatches) names match")
            }
        }
        return names
    }
}

/// A pattern for one name, as a shell reads it (POSIX.1-2017, XCU 2.13). No I/O.
struct NamePattern {
    private enum Part {
        case any
        case one
        case scalar(Unicode.Scalar)
        case set([ClosedRange<Unicode.Scalar>], isInverted: Bool)

        func matches(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .any, .one: true
            case .scalar(let own): own == scalar
            case .set(let ranges, let isInverted): ranges.contains { $0.contains(scalar) } != isInverted
            }
        }
    }
    private let parts: [Part]
    private let beginsWithDot: Bool

    init(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        var parts: [Part] = []
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case "*": if case .any? = parts.last {} else { parts.append(.any) }
            case "?": parts.append(.one)
            case "[":
                if let (set, end) = Self.set(scalars, index) {
                    parts.append(set)
                    index = end
                } else {
                    parts.append(.scalar("["))
                }
            case "\\" where index + 1 < scalars.count:
                index += 1
                parts.append(.scalar(scalars[index]))
            default: parts.append(.scalar(scalars[index]))
            }
            index += 1
        }
        self.parts = parts
        beginsWithDot = if case .scalar(".")? = parts.first { true } else { false }
    }

    /// - Returns: the set and the index of its `]`; nil if there is none, so that the `[` is literal.
    private static func set(_ scalars: [Unicode.Scalar], _ start: Int) -> (Part, Int)? {
        var index = start + 1
        let isInverted = index < scalars.count && (scalars[index] == "!" || scalars[index] == "^")
        if isInverted { index += 1 }
        let first = index
        var ranges: [ClosedRange<Unicode.Scalar>] = []
        while index < scalars.count {
            // A ] at the beginning belongs to the set.
            if scalars[index] == "]", index > first { return (.set(ranges, isInverted: isInverted), index) }
            if scalars[index] == "\\", index + 1 < scalars.count { index += 1 }
            let low = scalars[index]
            if index + 2 < scalars.count, scalars[index + 1] == "-", scalars[index + 2] != "]" {
                let high = scalars[index + 2]
                if low <= high { ranges.append(low...high) }
                index += 3
            } else {
                ranges.append(low...low)
                index += 1
            }
        }
        return nil
    }

    /// Takes time proportional to the product of both lengths at most.
    func matches(_ name: String) -> Bool {
        let scalars = Array(name.unicodeScalars)
        if scalars.first == ".", !beginsWithDot { return false }
        var (part, index) = (0, 0)
        // The position of the last *, and the end of its match so far.
        var star: (part: Int, index: Int)?
        while index < scalars.count {
            if part < parts.count, case .any = parts[part] {
                star = (part, index)
                part += 1
            } else if part < parts.count, parts[part].matches(scalars[index]) {
                part += 1
                index += 1
            } else if let last = star {
                star = (last.part, last.index + 1)
                (part, index) = (last.part + 1, last.index + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { if case .any = $0 { true } else { false } }
    }

    static func hasWildcards(_ text: String) -> Bool { text.utf8.contains { "*?[\\".utf8.contains($0) } }

    /// The text without its escaping backslashes.
    static func literal(_ text: String) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            result.append(character)
            isEscaped = false
        }
        return result
    }
}
