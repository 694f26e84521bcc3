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

    /// Files as given, to be found as they are; for the standard ones see ``standard(home:)``.
    public init(
        user: [String], system: [String] = [], areExplicit: Bool = true, creatableDirectory: String? = nil,
        hashesNames: Bool = false,
        revoked: [String] = []
    ) {
        self.user = user
        self.system = system
        self.areExplicit = areExplicit
        self.creatableDirectory = creatableDirectory
        self.hashesNames = hashesNames
        self.revoked = revoked
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
