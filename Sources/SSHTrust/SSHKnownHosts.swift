/// The content of a set of known_hosts files, read once.
///
/// The format is that of sshd(8), SSH_KNOWN_HOSTS FILE FORMAT; a line that cannot be parsed is skipped and recorded, so that
/// one bad line does not disable the others.
public struct SSHKnownHosts: Sendable {
    /// The lines that could not be understood, in the order of the files.
    public var skippedLines: [SSHKnownHostsLocation] { sources.flatMap(\.skippedLines) }
    /// Default files that exist but could not be read, so a key that is unknown here may be in them.
    public internal(set) var unreadable: [SSHKnownHostsProblem] = []
    /// The lines that were understood, in the order of the files.
    public var entries: [SSHKnownHostsEntry] { sources.flatMap(\.entries) }
    private var sources: [KnownHostsContent] = []
    /// Revoked keys: never valid for any host.
    var revoked: [(key: SSHHostKey, location: SSHKnownHostsLocation)] = []

    /// Knows no host.
    public init() {}

    /// Adds a file's content after the existing one.
    ///
    /// - Parameters:
    ///   - contents: the whole file, of any line length, with line feeds or CRLF.
    ///   - file: the path to use in locations.
    public mutating func add(contents: [UInt8], file: String) {
        add(KnownHostsContent(contents, file: file))
    }

    /// Adds keys that the program trusts for a host; their places are the lines of `trustedHostKeys`, which is not a file.
    package mutating func add(trusted keys: [SSHHostKey], host: String, port: Int) {
        let name = KnownHostName(host: host, port: port).text
        let lines = keys.map { "\(name) \($0.algorithm) \(Base64.encode($0.blob))\n" }
        add(contents: Array(lines.joined().utf8), file: SSHKnownHostsLocation.pins)
    }

    mutating func add(_ content: KnownHostsContent) { sources.append(content) }

    /// The verdict of the files on a key that a server presented.
    ///
    /// For a port other than 22 only `[host]:port` is looked up, as ssh(1) does: another key known for the plain host is not
    /// compared. If no key is found, it is enough that the same key is known for the plain host, as for ssh(1) ("found matching
    /// key w/out port"). A key revoked for the plain host is revoked on all its ports; there ssh(1) only warns.
    ///
    /// - Parameters:
    ///   - key: the server's key.
    ///   - host: the name or address as the user gave it; case does not matter. An address is looked up like a name.
    ///   - port: the port, 1 to 65535.
    public func verdict(on key: SSHHostKey, host: String, port: Int) -> SSHHostKeyVerdict {
        if let line = revoked.first(where: { $0.key.blob == key.blob }) { return .revoked(line.location) }
        let (matching, onPlainHost) = entriesFor(host: host, port: port)
        if let line = (matching + onPlainHost).first(where: { $0.marker == .revoked && $0.key.blob == key.blob }) {
            return .revoked(line.location)
        }
        let known = matching.filter { $0.marker == .trusted }
        if let line = known.first(where: { $0.key.blob == key.blob }) { return .trusted(line.location) }
        let sameType = known.filter { $0.key.algorithm == key.algorithm }
        if !sameType.isEmpty { return .changed(presented: key.fingerprint, known: sameType.map(\.known)) }
        if !known.isEmpty { return .otherTypeKnown(known.map(\.known)) }
        if let line = onPlainHost.first(where: { $0.marker == .trusted && $0.key.blob == key.blob }) {
            return .trusted(line.location)
        }
        let authority = matching.first { $0.marker == .certificateAuthority }?.location
        return .unknown(skippedLines: skippedLines.count, certificateAuthority: authority)
    }

    /// The lines for a host, as `ssh-keygen -F` finds them, in the order of the files; marked ones too.
    ///
    /// - Parameters:
    ///   - host: the name or address; case does not matter.
    ///   - port: the port, 1 to 65535; any but 22 is looked up as `[host]:port` only.
    public func lines(for host: String, port: Int = 22) -> [SSHKnownHostsEntry] {
        entries(for: KnownHostName(host: host, port: port))
    }

    /// Whether a line of these kinds is about a host. A key that is known for port 22 is good for another port too.
    package func hasLine(of markers: Set<SSHKnownHostMarker>, for host: String, port: Int) -> Bool {
        [port, KnownHostName.standardPort].contains { port in
            lines(for: host, port: port).contains { markers.contains($0.marker) }
        }
    }

    private func entries(for name: KnownHostName) -> [SSHKnownHostsEntry] { sources.flatMap { $0.entries(for: name) } }

    /// Runs a look-up. Each hashed name takes an HMAC, and a large file takes milliseconds: such a look-up does not run on the
    /// event loop.
    nonisolated(nonsending)
        package func lookUp<Answer: Sendable>(_ look: @escaping @Sendable (SSHKnownHosts) -> Answer) async -> Answer
    {
        guard sources.contains(where: \.isSlow) else { return look(self) }
        return await BlockingWork.run { look(self) }
    }

    /// Whether the names of the line at a place are hashed.
    package func isHashed(_ location: SSHKnownHostsLocation) -> Bool {
        sources.contains { $0.isHashed(location) }
    }

    /// `available` reordered so that the server is asked first for a key that can be checked; nothing is added or removed.
    ///
    /// Without this a server with keys of several types might present one that is not known, although another is.
    ///
    /// - Parameters:
    ///   - host: the name or address as the user gave it.
    ///   - port: the port, 1 to 65535.
    ///   - available: host key algorithms in order of preference, which is kept among the known and among the others.
    public func preferredAlgorithms(host: String, port: Int, from available: [String]) -> [String] {
        let (matching, onPlainHost) = entriesFor(host: host, port: port)
        let revoked = Set((matching + onPlainHost).filter { $0.marker == .revoked }.map(\.key) + revoked.map(\.key))
        func usable(_ entries: [SSHKnownHostsEntry]) -> Set<String> {
            Set(entries.filter { $0.marker == .trusted && !revoked.contains($0.key) }.map(\.key.algorithm))
        }
        var types = usable(matching)
        if types.isEmpty { types = usable(onPlainHost) }
        let isKnown = { types.contains(SSHHostKey.keyType(ofAlgorithm: $0)) }
        return available.filter(isKnown) + available.filter { !isKnown($0) }
    }

    /// The other names under which this very key is trusted, as the files spell them; a hashed one is `[hashed name]`.
    func otherNames(of key: SSHHostKey, host: String, port: Int) -> [String] {
        let name = KnownHostName(host: host, port: port)
        var names: [String] = []
        for entry in entries where entry.marker == .trusted && entry.key.blob == key.blob && !entry.matches(name) {
            let text = if case .patterns(_, let text) = entry.names { PrintableText.escape(text) } else { "[hashed name]" }
            if !names.contains(text) { names.append(text) }
        }
        return names
    }

    private func entriesFor(host: String, port: Int) -> (matching: [SSHKnownHostsEntry], onPlainHost: [SSHKnownHostsEntry]) {
        let name = KnownHostName(host: host, port: port)
        let matching = entries(for: name)
        guard port != KnownHostName.standardPort else { return (matching, []) }
        let plain = KnownHostName(host: host, port: KnownHostName.standardPort)
        return (matching, entries(for: plain))
    }
}

/// Host keys that a server announces after the login (UpdateHostKeys of ssh_config(5)).
extension SSHKnownHosts {
    /// Why announced keys must not be added for a host; nil if they may be. The rules are ssh's (clientloop.c:
    /// `hostkeys_find`). Without such a reason, the lines in known_hosts belong to this host alone.
    ///
    /// - Parameters:
    ///   - keys: all keys that the server announced.
    ///   - host: the name or address as the user gave it.
    ///   - port: the port, 1 to 65535.
    ///   - files: the user's files.
    package func objection(toLearning keys: [SSHHostKey], host: String, port: Int, in files: [String]) -> String? {
        let name = KnownHostName(host: host, port: port)
        for entry in entries where files.contains(entry.location.file) {
            guard entry.matches(name) else {
                guard keys.contains(entry.key) else { continue }
                return "\(entry.location) has one of the server's keys under another name"
            }
            if entry.marker != .trusted { return "\(entry.location) has a marker for this host" }
            // ssh has written lines with a name and an address.
            if let names = entry.namesText?.utf8,
                names.contains(where: { "*?".utf8.contains($0) }) || names.count(where: { $0 == UInt8(ascii: ",") }) > 1
            {
                return "\(entry.location) has other names too"
            }
        }
        return nil
    }

    package func isRevoked(_ key: SSHHostKey, host: String, port: Int) -> Bool {
        if case .revoked = verdict(on: key, host: host, port: port) { true } else { false }
    }
}
