#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Adds host keys to one known_hosts file, so that neither a crash, a full disk nor another writer loses a line of it.
///
/// Writers take turns by `flock` on the file itself; the new content is a new file renamed over the old one, with its owner
/// and mode. A lock on an inode that is no longer the file's is worth nothing, so it is looked up again after locking.
struct KnownHostsWriter {
    /// What became of a key that was to be added.
    enum Outcome: Sendable, Hashable {
        case added(KnownHostsLocation)
        case alreadyKnown(KnownHostsLocation)
        /// Somebody has meanwhile added a line against this key: nothing was written.
        case contradicted(HostKeyVerdict)
    }

    private static let directoryMode: mode_t = 0o700

    let path: String
    /// A directory that may be made for the file.
    var creatableDirectory: String?
    /// Whether a name is hashed even if the file has no hashed ones.
    var hashesNames = false

    /// Adds a line for the host, hashed if the file has hashed lines; blocks the thread.
    func add(_ key: HostKey, host: String, port: Int) throws(KnownHostsProblem) -> Outcome {
        guard KnownHostName.isWritable(host) else {
            throw KnownHostsProblem(code: .unwritableName, path: path, operation: "write", errno: EINVAL)
        }
        try makeDirectory()
        let target = try SymbolicLink.target(of: path)
        while true {
            let file = try LockedFile(path: target)
            let result = Result { () throws(KnownHostsProblem) in try add(key, host: host, port: port, to: file) }
            if case .failure = result { file.removeIfCreated() }
            file.close()
            if let outcome = try result.get() { return outcome }
        }
    }

    /// Nil if the file changed under our hands, because ssh(1) appends without a lock.
    private func add(
        _ key: HostKey, host: String, port: Int, to file: LockedFile
    ) throws(KnownHostsProblem) -> Outcome? {
        let name = KnownHostName(host: host, port: port)
        guard file.isRegular else {
            // A device such as /dev/null is written to, never replaced.
            try KnownHostsIO.write(line(for: key, name: name, hashed: false), to: file.descriptor, path: path)
            return .added(KnownHostsLocation(file: path, line: 1))
        }
        let old = try KnownHostsIO.read(file.descriptor, code: .unwritable, path: path)
        var known = KnownHosts()
        known.add(contents: old, file: path)
        let verdict = known.verdict(on: key, host: host, port: port)
        switch verdict {
        case .trusted(let location): return .alreadyKnown(location)
        case .changed, .revoked: return .contradicted(verdict)
        case .otherTypeKnown, .unknown: break
        }
        var new = old
        if let last = old.last, last != UInt8(ascii: "\n") { new.append(UInt8(ascii: "\n")) }
        let lineNumber = new.count { $0 == UInt8(ascii: "\n") } + 1
        new += line(for: key, name: name, hashed: hashesNames || known.entries.contains(where: \.isHashed))
        guard try file.replace(with: new) else { return nil }
        return .added(KnownHostsLocation(file: path, line: lineNumber))
    }

    private func line(for key: HostKey, name: KnownHostName, hashed: Bool) -> [UInt8] {
        let names = hashed ? HashedHostName(name).text : name.text
        return Array("\(names) \(key.algorithm) \(Base64.encode(key.blob))\n".utf8)
    }

    private func makeDirectory() throws(KnownHostsProblem) {
        guard let directory = creatableDirectory, path.hasPrefix(directory + "/"), mkdir(directory, Self.directoryMode) != 0
        else { return }
        guard errno == EEXIST else {
            throw KnownHostsProblem(code: .unwritable, path: path, operation: "mkdir", errno: errno)
        }
    }
}
