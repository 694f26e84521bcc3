#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Changes one known_hosts file, so that no line is lost by a crash, a full disk or another writer.
///
/// Writers take turns by `flock` on the file itself; the new content is a new file renamed over the old one, with its owner
/// and mode. A lock on an inode that is no longer the file's is worth nothing, so it is looked up again after locking. Lines
/// that a change does not concern stay byte for byte. All functions block the thread.
public struct SSHKnownHostsWriter: Sendable {
    /// The outcome of adding a key.
    public enum Outcome: Sendable, Hashable {
        /// A line was added.
        case added(SSHKnownHostsLocation)
        /// The key was known for the host already.
        case alreadyKnown(SSHKnownHostsLocation)
        /// The file has a line against this key: nothing was written.
        case contradicted(SSHHostKeyVerdict)
    }

    /// A key to be added for a host.
    package struct Addition: Sendable, Hashable {
        package let key: SSHHostKey
        package let host: String
        package let port: Int

        package init(_ key: SSHHostKey, host: String, port: Int) {
            (self.key, self.host, self.port) = (key, host, port)
        }
    }

    private static let directoryMode: mode_t = 0o700

    /// The file; it need not exist to be added to.
    public let path: String
    /// A directory that may be created (0700) for the file.
    public var creatableDirectory: String?
    /// Whether a name is hashed even if the file has no hashed ones.
    public var hashesNames = false

    /// Where the old content is kept when lines are removed or replaced: next to the file that ``path`` resolves to.
    public var backupPath: String { ((try? SymbolicLink.target(of: path)) ?? path) + ".old" }

    /// Changes the file at `path`, links followed.
    public init(path: String, creatableDirectory: String? = nil, hashesNames: Bool = false) {
        self.path = path
        self.creatableDirectory = creatableDirectory
        self.hashesNames = hashesNames
    }

    /// Adds a line for the host, hashed if the file has hashed lines.
    ///
    /// - Parameters:
    ///   - key: the key that the host has.
    ///   - host: the name or address; case does not matter.
    ///   - port: the port, 1 to 65535.
    /// - Throws: ``SSHKnownHostsProblem``: `unwritable-name` for a name that would mean other hosts too, `unwritable` for the
    ///   rest.
    public func add(_ key: SSHHostKey, host: String, port: Int) throws -> Outcome {
        try add(writing: key, host: host, port: port)
    }

    func add(writing key: SSHHostKey, host: String, port: Int) throws(SSHKnownHostsProblem) -> Outcome {
        let outcomes = try add([Addition(key, host: host, port: port)])
        guard let outcome = outcomes.first else { throw SSHKnownHostsProblem.noFile }
        return outcome
    }

    /// Adds lines for many hosts in one change of the file: all of them are written, or none.
    ///
    /// - Parameter besideOthers: whether a host may have several keys of one type, as it has while one replaces another.
    /// - Returns: one outcome for each. Otherwise the first of two keys of one type for one host counts, and contradicts the second.
    /// - Throws: as ``add(_:host:port:)``.
    func add(_ additions: [Addition], besideOthers: Bool = false) throws(SSHKnownHostsProblem) -> [Outcome] {
        var names: [KnownHostName] = []
        for addition in additions { names.append(try writableName(addition.host, addition.port)) }
        try makeDirectory()
        return try edit(
            device: { (descriptor) throws(SSHKnownHostsProblem) in
                // A device such as /dev/null is written to, never replaced.
                var outcomes: [Outcome] = []
                for (addition, name) in zip(additions, names) {
                    let line = Array((Self.line(for: addition.key, name: name, hashed: false) + "\n").utf8)
                    try KnownHostsIO.write(line, to: descriptor, path: path)
                    outcomes.append(.added(SSHKnownHostsLocation(file: path, line: outcomes.count + 1)))
                }
                return outcomes
            },
            change: { (old, text) in
                let known = knownHosts(old)
                let isHashed = hashes(known)
                var added: [KnownHostName: [SSHKnownHostKey]] = [:]
                return zip(additions, names).map { addition, name in
                    let key = addition.key
                    let verdict = known.verdict(on: key, host: addition.host, port: addition.port)
                    switch verdict {
                    case .trusted(let location): return .alreadyKnown(location)
                    case .changed where besideOthers: break
                    case .changed, .revoked: return .contradicted(verdict)
                    case .otherTypeKnown, .unknown: break
                    }
                    let sameType = added[name, default: []].filter { $0.algorithm == key.algorithm }
                    if let same = sameType.first(where: { $0.fingerprint == key.fingerprint }) {
                        return .alreadyKnown(same.location)
                    }
                    guard sameType.isEmpty || besideOthers else {
                        return .contradicted(.changed(presented: key.fingerprint, known: sameType))
                    }
                    let number = text.append(Self.line(for: key, name: name, hashed: isHashed))
                    let location = SSHKnownHostsLocation(file: path, line: number)
                    added[name, default: []].append(
                        SSHKnownHostKey(algorithm: key.algorithm, fingerprint: key.fingerprint, location: location))
                    return .added(location)
                }
            })
    }

    // MARK: Parts of every change

    func writableName(_ host: String, _ port: Int) throws(SSHKnownHostsProblem) -> KnownHostName {
        guard KnownHostName.isWritable(host) else {
            throw SSHKnownHostsProblem(code: .unwritableName, path: path, operation: "write", errno: EINVAL)
        }
        return KnownHostName(host: host, port: port)
    }

    func knownHosts(_ contents: [UInt8]) -> SSHKnownHosts {
        var known = SSHKnownHosts()
        known.add(contents: contents, file: path)
        return known
    }

    /// Whether a new line's name is hashed in a file that says this.
    func hashes(_ known: SSHKnownHosts) -> Bool { hashesNames || known.entries.contains(where: \.isHashed) }

    static func line(for key: SSHHostKey, name: KnownHostName, hashed: Bool) -> String {
        "\(hashed ? HashedHostName(name).text : name.text) \(key.algorithm) \(Base64.encode(key.blob))"
    }

    /// Whether there is something that could be changed without being added to.
    var fileExists: Bool { access(path, F_OK) == 0 }

    /// Locks the file, lets `change` edit its lines, and replaces the file if they changed.
    ///
    /// - Parameters:
    ///   - keepsBackup: whether the old file is kept as `path.old`, as ssh-keygen does.
    ///   - device: what to do with a device instead.
    func edit<Result>(
        keepsBackup: Bool = false, device: (Int32) throws(SSHKnownHostsProblem) -> Result,
        change: ([UInt8], inout KnownHostsText) throws(SSHKnownHostsProblem) -> Result
    ) throws(SSHKnownHostsProblem) -> Result {
        let target = try SymbolicLink.target(of: path)
        while true {
            let file = try LockedFile(path: target)
            defer { file.close() }
            do throws(SSHKnownHostsProblem) {
                guard file.isRegular else { return try device(file.descriptor) }
                let old = try KnownHostsIO.read(file.descriptor, path: path)
                var text = KnownHostsText(old)
                let result = try change(old, &text)
                let new = text.bytes
                if new == old {
                    file.removeIfCreated()
                    return result
                }
                // ssh(1) appends without a lock: then all is looked at again.
                if try file.replace(with: new, keepingBackup: keepsBackup) { return result }
            } catch {
                file.removeIfCreated()
                throw error
            }
        }
    }

    private func makeDirectory() throws(SSHKnownHostsProblem) {
        guard let directory = creatableDirectory, path.hasPrefix(directory + "/"), mkdir(directory, Self.directoryMode) != 0
        else { return }
        guard errno == EEXIST else {
            throw SSHKnownHostsProblem(code: .unwritable, path: path, operation: "mkdir", errno: errno)
        }
    }
}

extension SSHKnownHostsWriter {
    /// A line that was removed.
    public struct Removal: Sendable, Hashable {
        /// The file and line where it was.
        public let location: SSHKnownHostsLocation
        /// Its key; nil if it could not be read.
        public let key: SSHHostKey?
        /// Its names and patterns as written; nil if they were hashed. Text from outside.
        public let names: String?
    }

    /// Removes whole lines that match a host, as `ssh-keygen -R` does: its name may be hashed, in a list, or matched by a
    /// pattern, and then the other hosts of the line are no longer known either. Lines marked `@revoked` or `@cert-authority`
    /// stay.
    ///
    /// The old content is kept as ``backupPath``. A file that does not exist knows no host.
    ///
    /// - Parameters:
    ///   - host: the name or address; case does not matter.
    ///   - port: the port, 1 to 65535; any but 22 is looked up as `[host]:port` only.
    /// - Returns: the lines, in the order of the file; none if the host was not known, and then nothing was written.
    /// - Throws: ``SSHKnownHostsProblem``, `unwritable`.
    public func remove(host: String, port: Int = 22) throws -> [Removal] {
        try remove(lines: KnownHostName(host: host, port: port))
    }

    private func remove(lines name: KnownHostName) throws(SSHKnownHostsProblem) -> [Removal] {
        guard fileExists else { return [] }
        return try edit(keepsBackup: true, device: { _ in [] }) { (_, text) in
            var removed: [Removal] = []
            text.replaceLines { line, number in
                guard let heading = heading(line), heading.marker == .trusted, heading.names.match(name), heading.hasKeyType
                else { return nil }
                removed.append(removal(of: line, heading, at: number))
                return []
            }
            return removed
        }
    }

    /// Hashes the names of all lines, as `ssh-keygen -H` does: a line for each name of a list. Lines with patterns or a marker
    /// stay unchanged, because hashed patterns could not be matched.
    ///
    /// The old content, the names included, is kept as ``backupPath``: remove it if they must not be seen.
    ///
    /// - Returns: how many names were hashed; with none nothing was written.
    /// - Throws: ``SSHKnownHostsProblem``, `unwritable`.
    public func hashNames() throws -> Int { try hashAllNames() }

    private func hashAllNames() throws(SSHKnownHostsProblem) -> Int {
        guard fileExists else { return 0 }
        return try edit(keepsBackup: true, device: { _ in 0 }) { (_, text) in
            var count = 0
            text.replaceLines { line, _ in
                guard let heading = heading(line), heading.marker == .trusted, case .patterns(_, let names) = heading.names,
                    heading.hasKeyType, !names.utf8.contains(where: { "*?!".utf8.contains($0) })
                else { return nil }
                let rest = line[heading.rest.startIndex...]
                let parts = heading.field.split(separator: UInt8(ascii: ","))
                count += parts.count
                return parts.map { Array((HashedHostName(KnownHostName($0)).text + " ").utf8) + rest }
            }
            return count
        }
    }

    func heading(_ line: ArraySlice<UInt8>) -> KnownHostsHeading? {
        if case .heading(let heading) = KnownHostsHeading.read(line) { heading } else { nil }
    }

    func removal(of line: ArraySlice<UInt8>, _ heading: KnownHostsHeading, at number: Int) -> Removal {
        let location = SSHKnownHostsLocation(file: path, line: number)
        var key: SSHHostKey?
        if case .entry(let entry) = KnownHostsLine(line, at: location) { key = entry.key }
        let names: String? = if case .patterns(_, let text) = heading.names { text } else { nil }
        return Removal(location: location, key: key, names: names)
    }
}

extension KnownHostsHeading {
    /// Whether something follows the names; without it OpenSSH takes the line for a damaged one.
    var hasKeyType: Bool { rest.first.map { $0 != UInt8(ascii: "#") } ?? false }
}

extension SSHKnownHostsWriter {
    /// The result of replacing a host's keys.
    public struct Replacement: Sendable, Hashable {
        /// The places of the new keys, in their order, including those already known.
        public internal(set) var added: [SSHKnownHostsLocation] = []
        /// The lines that were removed, or no longer name the host, by their old numbers.
        public internal(set) var removed: [Removal] = []
    }

    /// Replaces the keys of the same types that the file has for a host by new ones; keys of other types stay.
    ///
    /// A line that names other hosts in a list keeps them. The old content is kept as ``backupPath``.
    ///
    /// - Parameters:
    ///   - keys: the keys that the host has now.
    ///   - host: the name or address; case does not matter.
    ///   - port: the port, 1 to 65535.
    /// - Throws: ``SSHKnownHostsProblem``, with nothing changed: `pattern-line` if a pattern matches the host, and so also other
    ///   hosts; `revoked-key` for a key that the file revokes; `unwritable-name`; `unwritable`.
    public func replace(with keys: [SSHHostKey], host: String, port: Int) throws -> Replacement {
        try replace(byWriting: keys, host: host, port: port)
    }

    private func replace(
        byWriting keys: [SSHHostKey], host: String, port: Int
    ) throws(SSHKnownHostsProblem) -> Replacement {
        let name = try writableName(host, port)
        // There is nothing to replace; adding reports the problem with the file.
        guard fileExists else {
            var result = Replacement()
            for key in keys {
                if case .added(let place) = try add(writing: key, host: host, port: port) { result.added.append(place) }
            }
            return result
        }
        let notAFile = SSHKnownHostsProblem(code: .unwritable, path: path, operation: "rename", errno: EINVAL)
        return try edit(keepsBackup: true, device: { (_) throws(SSHKnownHostsProblem) in throw notAFile }) {
            (old, text) throws(SSHKnownHostsProblem) in
            let known = knownHosts(old)
            for key in keys {
                guard case .revoked(let place) = known.verdict(on: key, host: host, port: port) else { continue }
                throw SSHKnownHostsProblem(code: .revokedKey, path: path, operation: "write", errno: EPERM, line: place.line)
            }
            var result = Replacement()
            try text.replaceLines { (line, number) throws(SSHKnownHostsProblem) in
                guard case .entry(let entry) = KnownHostsLine(line, at: SSHKnownHostsLocation(file: path, line: number)),
                    entry.marker == .trusted, entry.matches(name), !keys.contains(entry.key),
                    keys.contains(where: { $0.algorithm == entry.key.algorithm }), let heading = heading(line)
                else { return nil }
                result.removed.append(removal(of: line, heading, at: number))
                return try without(name, line, heading, number)
            }
            let now = knownHosts(text.bytes)
            for key in keys {
                if let line = now.lines(for: host, port: port).first(where: { $0.marker == .trusted && $0.key == key }) {
                    result.added.append(line.location)
                } else {
                    let number = text.append(Self.line(for: key, name: name, hashed: hashes(known)))
                    result.added.append(SSHKnownHostsLocation(file: path, line: number))
                }
            }
            return result
        }
    }

    /// The line without this name; nil if it had no other.
    private func without(
        _ name: KnownHostName, _ line: ArraySlice<UInt8>, _ heading: KnownHostsHeading, _ number: Int
    ) throws(SSHKnownHostsProblem) -> [[UInt8]] {
        guard case .patterns = heading.names else { return [] }
        let others = heading.field.split(separator: UInt8(ascii: ",")).filter { KnownHostName($0) != name }
        if others.isEmpty { return [] }
        guard !HostPattern.list(others.map(HostPattern.init), matches: name) else {
            throw SSHKnownHostsProblem(code: .patternLine, path: path, operation: "write", errno: EINVAL, line: number)
        }
        let names = Array(others.joined(separator: [UInt8(ascii: ",")]))
        return [Array(line[..<heading.field.startIndex]) + names + line[heading.field.endIndex...]]
    }
}
