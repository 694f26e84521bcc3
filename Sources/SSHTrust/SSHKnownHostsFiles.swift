/// Which known_hosts files are read, in order, and which is written.
public struct SSHKnownHostsFiles: Sendable, Hashable {
    /// Files of the user.
    ///
    /// The first one is where new host keys are remembered.
    public var user: [String]
    /// System-wide files, read after the user's and never written.
    public var system: [String]
    /// Whether the files were named explicitly, so that one that cannot be read is a problem and not just absent.
    public var areExplicit: Bool
    /// A directory that may be created (0700) if the first user file is to be created in it.
    public var creatableDirectory: String?
    /// Whether new names are hashed also in a file without hashed ones (HashKnownHosts of ssh_config(5)).
    public var hashesNames: Bool

    /// Lists of public keys that no server may present, one a line (RevokedHostKeys of ssh_config(5)). Each must be readable.
    ///
    /// A binary key revocation list is not read, and is refused.
    public var revoked: [String]

    /// Whether ``SSHHostKeyPolicy/acceptNew`` accepts a key even if it cannot be remembered, because the user has no file or it
    /// cannot be written. Then each connection trusts any key that it is shown, even an attacker's. Default false, which fails
    /// such a connection with `ssh.host-key.known-hosts-unwritable`.
    public var acceptsWithoutRemembering: Bool

    /// Whether host keys that a server announces after the login are added, once it has proven to hold them (UpdateHostKeys of
    /// ssh_config(5)). Only for a host that was known by its own line in one of the user's files, or that a person has just
    /// accepted. Keys that a server no longer announces stay.
    public var learnsAnnouncedKeys: Bool

    /// Files with the given paths; for the standard ones see ``standard(home:)``.
    public init(
        user: [String], system: [String] = [], areExplicit: Bool = true, creatableDirectory: String? = nil,
        hashesNames: Bool = false, revoked: [String] = [], acceptsWithoutRemembering: Bool = false,
        learnsAnnouncedKeys: Bool = false
    ) {
        self.user = user
        self.system = system
        self.areExplicit = areExplicit
        self.creatableDirectory = creatableDirectory
        self.hashesNames = hashesNames
        self.revoked = revoked
        self.acceptsWithoutRemembering = acceptsWithoutRemembering
        self.learnsAnnouncedKeys = learnsAnnouncedKeys
    }

    /// The files that ssh(1) reads by default (ssh_config(5), UserKnownHostsFile and GlobalKnownHostsFile).
    ///
    /// - Parameter home: the user's home directory; nothing is read from the environment here.
    public static func standard(home: String) -> SSHKnownHostsFiles {
        SSHKnownHostsFiles(
            user: ["\(home)/.ssh/known_hosts", "\(home)/.ssh/known_hosts2"],
            system: ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"],
            areExplicit: false, creatableDirectory: "\(home)/.ssh")
    }

    /// Reads all files.
    ///
    /// A missing standard file counts as empty; one that exists and cannot be read is listed in ``SSHKnownHosts/unreadable``.
    /// Explicit files must all be readable; only the first may be missing, and only where `policy` may create it. Blocks the
    /// thread while it reads.
    ///
    /// - Throws: ``SSHKnownHostsProblem`` for an explicit file that cannot be read, and for a list of revoked keys that cannot.
    public func load(policy: SSHHostKeyPolicy) throws -> SSHKnownHosts {
        var knownHosts = SSHKnownHosts()
        for path in revoked { knownHosts.revoked += try RevokedKeysFile.read(path: path) }
        for (index, path) in (user + system).enumerated() {
            do {
                knownHosts.add(try KnownHostsReader.shared.content(of: path))
            } catch {
                let mayBeCreated = index == 0 && !user.isEmpty && policy.mayRemember
                if error.isMissing, !areExplicit || mayBeCreated { continue }
                if areExplicit { throw error }
                knownHosts.unreadable.append(error)
            }
        }
        return knownHosts
    }
}

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
    /// - Throws: ``SSHKnownHostsProblem``, even if the user has no file.
    public func add(_ key: SSHHostKey, host: String, port: Int = 22) throws -> SSHKnownHostsWriter.Outcome {
        guard let path = user.first else { throw SSHKnownHostsProblem.noFile }
        return try writer(path).add(key, host: host, port: port)
    }

    /// Adds keys of many hosts to the first of the user's files, in one change of it: all are written, or none. Otherwise as
    /// ``add(_:host:port:)``.
    ///
    /// - Parameter besideOthers: whether a host may have several keys of one type, as it has while one replaces another.
    /// - Returns: one outcome for each.
    package func add(
        _ additions: [SSHKnownHostsWriter.Addition], besideOthers: Bool = false
    ) throws -> [SSHKnownHostsWriter.Outcome] {
        guard let path = user.first else { throw SSHKnownHostsProblem.noFile }
        return try writer(path).add(additions, besideOthers: besideOthers)
    }

    /// Removes a host's lines from all of the user's files, as `ssh-keygen -R` does from one; see
    /// ``SSHKnownHostsWriter/remove(host:port:)``. Blocks the thread.
    ///
    /// - Returns: the removed lines, in the order of the files; none if the host was not known.
    /// - Throws: ``SSHKnownHostsProblem``; the files before the one that it names were changed already.
    public func remove(host: String, port: Int = 22) throws -> [SSHKnownHostsWriter.Removal] {
        try user.flatMap { try writer($0).remove(host: host, port: port) }
    }

    /// Replaces a host's keys of the same types by new ones, in all of the user's files that have such keys; in the first if
    /// none has. See ``SSHKnownHostsWriter/replace(with:host:port:)``. Blocks the thread.
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

/// A list of revoked host keys: public keys, one a line (RevokedHostKeys of ssh_config(5)).
enum RevokedKeysFile {
    /// The beginning of a key revocation list of ssh-keygen(1) (OpenSSH's PROTOCOL.krl).
    private static let listMagic = Array("SSHKRL\n\0".utf8)

    /// Reads the file. An invalid line makes the file invalid, as with ssh(1) (authfile.c: sshkey_in_file): the line may be a key
    /// to be revoked.
    ///
    /// - Throws: ``SSHKnownHostsProblem`` if it cannot be read, has such a line, or is a binary key revocation list.
    static func read(path: String) throws(SSHKnownHostsProblem) -> [(key: SSHHostKey, location: SSHKnownHostsLocation)] {
        let contents = try KnownHostsIO.read(path: path)
        guard !contents.starts(with: listMagic) else {
            throw SSHKnownHostsProblem(code: .revocationListUnusable, path: path, operation: "read", errno: 0)
        }
        var keys: [(key: SSHHostKey, location: SSHKnownHostsLocation)] = []
        let lines = contents.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "\r") else { continue }
            // Options before the key are for authorized_keys alone.
            guard let key = try? SSHPublicKey(line: String(decoding: text, as: UTF8.self)), text.starts(with: key.algorithm.utf8)
            else {
                throw SSHKnownHostsProblem(
                    code: .revocationListUnusable, path: path, operation: "read", errno: 0, line: index + 1)
            }
            keys.append((SSHHostKey(key), SSHKnownHostsLocation(file: path, line: index + 1)))
        }
        return keys
    }
}
