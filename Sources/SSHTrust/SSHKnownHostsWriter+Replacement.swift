#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension SSHKnownHostsWriter {
    /// The result of replacing a host's keys.
    public struct Replacement: Sendable, Hashable {
        /// Where the new keys stand now, in their order; those that were known already too.
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
    /// - Throws: ``SSHKnownHostsProblem``, with nothing changed: `pattern-line` where a pattern stands for the host, and so for
    ///   others; `revoked-key` for a key that the file revokes; `unwritable-name`; `unwritable`.
    public func replace(with keys: [SSHHostKey], host: String, port: Int) throws -> Replacement {
        try replace(byWriting: keys, host: host, port: port)
    }

    private func replace(
        byWriting keys: [SSHHostKey], host: String, port: Int
    ) throws(SSHKnownHostsProblem) -> Replacement {
        let name = try writableName(host, port)
        // Nothing to replace: adding reports what is wrong with the place.
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

    /// The line without this name: none where it had no other.
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
