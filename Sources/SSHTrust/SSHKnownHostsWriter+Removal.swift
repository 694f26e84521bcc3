extension SSHKnownHostsWriter {
    /// A line that was removed.
    public struct Removal: Sendable, Hashable {
        /// Where it stood.
        public let location: SSHKnownHostsLocation
        /// Its key; nil where that could not be read.
        public let key: SSHHostKey?
        /// Its names and patterns as they were written, nil where they were hashed. Text from outside.
        public let names: String?
    }

    /// Removes the lines for a host whole, as `ssh-keygen -R` does: those that have its name hashed, in a list or by a pattern,
    /// so that other hosts of such a line are no longer known either. Lines marked `@revoked` or `@cert-authority` stay.
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
    /// stay as they are, for they could not be found any more.
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
