extension SSHKnownHostsFiles {
    private func writer(_ path: String) -> SSHKnownHostsWriter {
        SSHKnownHostsWriter(path: path, creatableDirectory: creatableDirectory, hashesNames: hashesNames)
    }

    /// Adds a host's key to the first of the user's files; see ``SSHKnownHostsWriter/add(_:host:port:)``. Blocks the thread.
    ///
    /// - Parameters:
    ///   - key: the key that the host has. Whether it may be trusted is for the caller to know.
    ///   - host: the name or address; case does not matter.
    ///   - port: the port, 1 to 65535.
    /// - Throws: ``SSHKnownHostsProblem``, also if there is no file of the user's.
    public func add(_ key: SSHHostKey, host: String, port: Int = 22) throws -> SSHKnownHostsWriter.Outcome {
        guard let path = user.first else { throw SSHKnownHostsProblem.noFile }
        return try writer(path).add(key, host: host, port: port)
    }

    /// Adds keys of many hosts to the first of the user's files, in one change of it: all are written, or none. Otherwise as
    /// ``add(_:host:port:)``.
    ///
    /// - Returns: one outcome for each.
    package func add(_ additions: [SSHKnownHostsWriter.Addition]) throws -> [SSHKnownHostsWriter.Outcome] {
        guard let path = user.first else { throw SSHKnownHostsProblem.noFile }
        return try writer(path).add(additions)
    }

    /// Removes a host's lines from all of the user's files, as `ssh-keygen -R` does from one; see
    /// ``SSHKnownHostsWriter/remove(host:port:)``. Blocks the thread.
    ///
    /// - Returns: the removed lines, in the order of the files; none if the host was not known.
    /// - Throws: ``SSHKnownHostsProblem``; the files before the one that it names were changed already.
    public func remove(host: String, port: Int = 22) throws -> [SSHKnownHostsWriter.Removal] {
        try user.flatMap { try writer($0).remove(host: host, port: port) }
    }

    /// Replaces a host's keys of the same types by new ones, in all of the user's files that have such keys; in the first if none
    /// has. See ``SSHKnownHostsWriter/replace(with:host:port:)``. Blocks the thread.
    ///
    /// A line in a system-wide file is overruled by the new line, not changed.
    ///
    /// - Parameters:
    ///   - keys: the keys that the host has now. Whether they may be trusted is for the caller to know.
    ///   - host: the name or address; case does not matter.
    ///   - port: the port, 1 to 65535.
    /// - Throws: ``SSHKnownHostsProblem``; the files before the one that it names were changed already.
    public func replace(
        with keys: [SSHHostKey], host: String, port: Int = 22
    ) throws -> SSHKnownHostsWriter.Replacement {
        guard let first = user.first else { throw SSHKnownHostsProblem.noFile }
        let name = KnownHostName(host: host, port: port)
        let known = try SSHKnownHostsFiles(user: user, areExplicit: false).load(policy: .acceptNew)
        let stale = Set(
            known.entries.filter { entry in
                entry.marker == .trusted && entry.matches(name) && !keys.contains(entry.key)
                    && keys.contains { $0.algorithm == entry.key.algorithm }
            }.map(\.location.file))
        var result = SSHKnownHostsWriter.Replacement()
        for path in stale.isEmpty ? [first] : user.filter(stale.contains) {
            let part = try writer(path).replace(with: keys, host: host, port: port)
            result.added += part.added
            result.removed += part.removed
        }
        return result
    }
}
