internal import BridgeSSH

extension HostSources {
    /// The sources that every command provides: `@ssh`, `@ssh:TAG` and `@known`.
    ///
    /// - Parameters:
    ///   - home: The home directory.
    ///   - configuration: Which files of ssh's configuration are read.
    ///   - files: How files are read.
    public static func standardProviders(
        home: String, configuration: SSHConfigSource = .standard, files: SSHConfigFiles = .system
    ) -> [String: Provider] {
        [
            "ssh": { tag in
                let hosts = ConfiguredHosts(configuration, home: home, files: files)
                guard let tag else { return hosts.names }
                let names = hosts.names(tagged: tag)
                guard names.isEmpty else { return names }
                let tags = hosts.tags
                throw HostSetProblem(
                    .unknownGroup, "No host of ssh's configuration has the Tag \(tag).", nearest: Array(tags.prefix(3)))
            },
            "known": { argument in
                if let argument {
                    throw HostSetProblem(.unknownGroup, "@known has no part named \(argument).", remedy: "Write @known alone.")
                }
                let paths = ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2", "/etc/ssh/ssh_known_hosts"]
                return KnownHostNames.names(in: paths, files: files)
            },
        ]
    }
}

/// The literal names in known_hosts files, for `@known`.
public enum KnownHostNames {
    /// The names in the order of the files, each once. Leaves out patterns, hashed names, and names with a port.
    public static func names(in paths: [String], files: SSHConfigFiles = .system) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for path in paths {
            guard case .bytes(let bytes) = files.read(path, false) else { continue }
            for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
                guard let first = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first, !"#@|".contains(first.prefix(1))
                else {
                    continue
                }
                for name in first.split(separator: ",").map(String.init)
                where !name.contains(where: "*?!|[".contains) && seen.insert(name).inserted {
                    names.append(name)
                }
            }
        }
        return names
    }
}

/// The literal names on `Host` lines of ssh's configuration: all of them for `@ssh`, or those with a `Tag` for `@ssh:TAG`.
public struct ConfiguredHosts: Sendable {
    private struct HostBlock {
        /// The patterns of a `Host` block; nil for a `Match` block, whose conditions cannot be evaluated here.
        var patterns: [String]?
        var tag: String?
    }

    private var blocks: [HostBlock] = []
    /// The names, in the order of the files.
    public private(set) var names: [String] = []

    private static let maximumFiles = 100

    /// Reads ssh's configuration and the files that it includes.
    ///
    /// - Parameters:
    ///   - source: Which files to read; the standard ones are the user's and the system's.
    ///   - home: The home directory.
    ///   - files: How files are read.
    public init(_ source: SSHConfigSource, home: String, files: SSHConfigFiles = .system) {
        var seen: Set<String> = []
        switch source {
        case .standard:
            blocks.append(HostBlock(patterns: ["*"]))
            read("\(home)/.ssh/config", in: "\(home)/.ssh", home, files, &seen)
            blocks.append(HostBlock(patterns: ["*"]))
            read("/etc/ssh/ssh_config", in: "/etc/ssh", home, files, &seen)
        case .file(let path):
            blocks.append(HostBlock(patterns: ["*"]))
            read(path, in: "\(home)/.ssh", home, files, &seen)
        case .none: break
        }
    }

    /// The names with a tag.
    public func names(tagged tag: String) -> [String] { names.filter { self.tag(of: $0) == tag } }

    /// All tags, each once.
    public var tags: [String] {
        var seen: Set<String> = []
        return names.compactMap { tag(of: $0) }.filter { seen.insert($0).inserted }
    }

    /// As for ssh, the first value that applies to a host counts.
    private func tag(of name: String) -> String? {
        for block in blocks {
            guard let tag = block.tag, let patterns = block.patterns else { continue }
            if Self.applies(patterns, to: name) { return tag }
        }
        return nil
    }

    private static func applies(_ patterns: [String], to name: String) -> Bool {
        var isMatched = false
        for pattern in patterns {
            if pattern.hasPrefix("!") {
                if HostSources.wildcard(String(pattern.dropFirst()), matches: name) { return false }
            } else if HostSources.wildcard(pattern, matches: name) {
                isMatched = true
            }
        }
        return isMatched
    }

    private mutating func read(
        _ path: String, in directory: String, _ home: String, _ files: SSHConfigFiles, _ seen: inout Set<String>
    ) {
        guard seen.count < Self.maximumFiles, seen.insert(path).inserted, case .bytes(let bytes) = files.read(path, false) else {
            return
        }
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: { " \t=\"".contains($0) }).map(String.init)
            switch words.first?.lowercased() {
            case "host":
                let patterns = Array(words.dropFirst())
                blocks.append(HostBlock(patterns: patterns))
                for name in patterns where !name.contains(where: "*?!".contains) && !names.contains(name) { names.append(name) }
            case "match":
                blocks.append(HostBlock(patterns: words.dropFirst().map { $0.lowercased() } == ["all"] ? ["*"] : nil))
            case "tag":
                if words.count > 1, blocks[blocks.count - 1].tag == nil { blocks[blocks.count - 1].tag = words[1] }
            case "include":
                // An included file begins inside the block that includes it.
                let current = blocks[blocks.count - 1].patterns
                for pattern in words.dropFirst() {
                    let path = HomePath.expand(pattern, home: home)
                    for match in files.matching(path.hasPrefix("/") ? path : "\(directory)/\(path)") {
                        blocks.append(HostBlock(patterns: current))
                        read(match, in: directory, home, files, &seen)
                    }
                }
                blocks.append(HostBlock(patterns: current))
            default: break
            }
        }
    }
}
