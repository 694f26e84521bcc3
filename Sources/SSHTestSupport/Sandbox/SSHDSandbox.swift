public import Foundation

/// A real sshd on a free loopback port, in a bubblewrap sandbox with users, keys and files of its own.
///
/// Nothing is installed, and no account is added to the machine. When the sandbox is stopped, or this process dies in any way,
/// all processes of the sandbox end and its directory is removed.
public final class SSHDSandbox: Sendable {
    /// The options that it was started with.
    public let options: Options
    /// The port that it listens on.
    public let port: Int
    /// The key for every user without an entry in `authorizedKeys`: Ed25519, without a passphrase.
    public let clientKey: TestKey
    /// The server's host keys, in the order of the options.
    public let hostKeys: [TestKey]
    /// A directory for the test, outside the sandbox's root.
    ///
    /// It is removed with the sandbox.
    public let directory: ScratchDirectory
    /// The file of ``clientKey``.
    public let clientKeyFile: String

    let root: SandboxRoot
    let process: SupervisedProcess

    /// The address that it listens on.
    public var host: String { options.listenAddress }
    /// sshd's log.
    ///
    /// The default level is DEBUG1. With a level below INFO the sandbox cannot detect that sshd is ready.
    public var log: Transcript { process.transcript }
    /// The sandbox's `/tmp`, where a test finds the files that a command made.
    public var temporaryDirectory: URL { url(of: "/tmp") }

    /// The host's location of a path in the sandbox. Not for paths in `/usr`, `/proc`, `/dev` and `/small`.
    public func url(of path: String) -> URL { URL(fileURLWithPath: root.host(path)) }

    /// Starts a sandbox, lends it to `body`, and stops it, even after an error.
    ///
    /// - Throws: ``MissingTool`` if sshd or bwrap is not installed, ``StartFailed``, or what `body` throws.
    @discardableResult
    public static func run<R>(_ options: Options = Options(), _ body: (SSHDSandbox) async throws -> R) async throws -> R {
        let sandbox = try await start(options)
        return try await withCleanup {
            await sandbox.stop()
        } _: {
            try await body(sandbox)
        }
    }

    /// Starts a sandbox and returns once sshd listens.
    ///
    /// Prefer ``run(_:_:)``, which always stops the sandbox.
    public static func start(_ options: Options = Options()) async throws -> SSHDSandbox {
        try await SandboxStart(options: options).run()
    }

    /// Ends every process of the sandbox and removes its directory.
    ///
    /// Calling it again does nothing.
    public func stop() async { await process.stop() }

    init(
        options: Options, port: Int, clientKey: TestKey, hostKeys: [TestKey], directory: ScratchDirectory, clientKeyFile: String,
        root: SandboxRoot, process: SupervisedProcess
    ) {
        self.options = options
        self.port = port
        self.clientKey = clientKey
        self.hostKeys = hostKeys
        self.directory = directory
        self.clientKeyFile = clientKeyFile
        self.root = root
        self.process = process
    }
}

/// A file to create in the sandbox.
public struct SandboxFile: Sendable {
    let contents: [UInt8]
    let mode: UInt32
    let owner: SandboxUser?

    /// Makes a file that belongs to `owner`, or to root if nil.
    public init(_ text: String, mode: UInt32 = 0o644, owner: SandboxUser? = nil) {
        self.init(bytes: Array(text.utf8), mode: mode, owner: owner)
    }

    /// Makes a file that belongs to `owner`, or to root if nil.
    public init(bytes: [UInt8], mode: UInt32 = 0o644, owner: SandboxUser? = nil) {
        contents = bytes
        self.mode = mode
        self.owner = owner
    }
}

extension SSHDSandbox {
    /// The configuration of a sandbox.
    public struct Options: Sendable {
        /// Lines of sshd_config, which override the defaults. `Match` blocks are moved to the end.
        public var configuration: String
        /// The types of the host keys, in the order in which sshd offers them.
        public var hostKeys: [TestKeyKind] = [.ed25519, .ecdsa, .rsa]
        /// Selects the host keys. Another name gives other keys, as after a reinstallation.
        public var hostKeyName = "host"
        /// Whether sshd uses PAM, with pam_unix for the `sshd` service.
        ///
        /// keyboard-interactive needs it.
        public var usePAM = false
        /// `127.0.0.1`, `::1`, or another address of the loopback interface.
        public var listenAddress = "127.0.0.1"
        /// The port; 0 finds a free one.
        public var port = 0
        /// The machine's name.
        public var hostName = "box"
        /// The users.
        public var users = SandboxUser.all
        /// The lines of authorized_keys, by login name.
        ///
        /// A user without an entry accepts ``SSHDSandbox/clientKey``.
        public var authorizedKeys: [String: [String]] = [:]
        /// Patterns for `AcceptEnv`.
        public var acceptedEnvironment: [String] = []
        /// `RekeyLimit`, as `1M` or `1M 1h`.
        public var rekeyLimit: String?
        /// Files by absolute path, outside `/usr`, `/proc`, `/dev` and `/small`.
        public var files: [String: SandboxFile] = [:]
        /// A directory whose `usr` replaces the machine's, for example one of another release.
        ///
        /// By default SSH_SANDBOX_ROOT of the environment.
        public var rootfs = SandboxDefaults.rootfs
        /// The server program. By default SSH_SANDBOX_SERVER of the environment.
        public var server = SandboxDefaults.server
        /// The path of sshd in the sandbox.
        public var sshd = "/usr/sbin/sshd"

        /// The path of the sandbox's `/usr` on the host.
        var usr: String { rootfs.map { $0 + "/usr" } ?? "/usr" }

        /// The defaults, with these lines of sshd_config.
        public init(_ configuration: String = "") {
            self.configuration = configuration
        }

        /// Authorizes `key` for `user`, in place of the default key. `keyOptions` are those of sshd(8), such as `command="…"`.
        public mutating func authorize(_ key: TestKey, for user: SandboxUser, keyOptions: String = "") {
            let line = keyOptions.isEmpty ? key.publicKey : "\(keyOptions) \(key.publicKey)"
            authorizedKeys[user.name, default: []].append(line)
        }
    }
}

extension SSHDSandbox {
    /// Writes a known_hosts file for this server and returns its path.
    ///
    /// - Parameters:
    ///   - kinds: The types of the server's host keys to list; all by default.
    ///   - keys: Public keys, as type and base64, to list instead of the server's own.
    ///   - marker: A marker such as `@revoked`.
    ///   - hashed: Whether the names are hashed, by ssh-keygen.
    ///   - port: The port to list, a proxy's for example. The sandbox's own by default.
    public func knownHosts(
        kinds: [TestKeyKind]? = nil, keys: [String]? = nil, marker: String? = nil, hashed: Bool = false,
        port: Int? = nil
    ) async throws -> String {
        let own = zip(options.hostKeys, hostKeys).filter { kinds?.contains($0.0) ?? true }.map(\.1.publicKey)
        let prefix = marker.map { $0 + " " } ?? ""
        // Every call writes a new file, so that a test may have several at a time.
        let name = "known_hosts." + String(UInt64.random(in: 0..<(1 << 40)), radix: 36)
        let lines = (keys ?? own).map { "\(prefix)[\(host)]:\(port ?? self.port) \($0)\n" }
        let path = try directory.write(lines.joined(), to: name)
        if hashed { try await ProcessRun.check("ssh-keygen", ["-q", "-H", "-f", path]) }
        return path
    }

    /// Writes a key pair next to the sandbox and returns the path of the private key.
    public func identityFile(_ key: TestKey) throws -> String {
        try key.write(to: directory, as: "id." + String(UInt64.random(in: 0..<(1 << 40)), radix: 36))
    }
}
