#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Changes one known_hosts file, so that neither a crash, a full disk nor another writer loses a line of it.
///
/// Writers take turns by `flock` on the file itself; the new content is a new file renamed over the old one, with its owner
/// and mode. A lock on an inode that is no longer the file's is worth nothing, so it is looked up again after locking. Lines that
/// a change does not concern stay byte for byte. All functions block the thread.
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

    /// A key that is to be known for a host.
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

    /// Where the old content is kept when lines are removed or replaced: beside the file that ``path`` resolves to, links
    /// followed.
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
    /// - Throws: ``SSHKnownHostsProblem``: `unwritable-name` for a name that would mean other hosts too, `unwritable` for the rest.
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
    /// - Returns: one outcome for each. Of two keys of one type for one host, the first counts, and contradicts the second.
    /// - Throws: as ``add(_:host:port:)``.
    func add(_ additions: [Addition]) throws(SSHKnownHostsProblem) -> [Outcome] {
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
                    case .changed, .revoked: return .contradicted(verdict)
                    case .otherTypeKnown, .unknown: break
                    }
                    let sameType = added[name, default: []].filter { $0.algorithm == key.algorithm }
                    if let same = sameType.first(where: { $0.fingerprint == key.fingerprint }) {
                        return .alreadyKnown(same.location)
                    }
                    guard sameType.isEmpty else {
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

    /// Locks the file, lets `change` edit its lines, and puts them in its place if it did.
    ///
    /// - Parameters:
    ///   - keepsBackup: whether what was there is kept as `path.old`, as ssh-keygen does.
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
