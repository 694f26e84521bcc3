/// A file to be put into the sandbox.
public struct SandboxFile: Sendable {
    let contents: [UInt8]
    let mode: UInt32
    let owner: SandboxUser?

    /// A file of `owner`, root if nil.
    public init(_ text: String, mode: UInt32 = 0o644, owner: SandboxUser? = nil) {
        self.init(bytes: Array(text.utf8), mode: mode, owner: owner)
    }

    /// A file of `owner`, root if nil.
    public init(bytes: [UInt8], mode: UInt32 = 0o644, owner: SandboxUser? = nil) {
        contents = bytes
        self.mode = mode
        self.owner = owner
    }
}

extension SSHDSandbox {
    /// What kind of server and machine a sandbox is.
    public struct Options: Sendable {
        /// Lines of sshd_config that come first and so win; `Match` blocks among them are moved to the end.
        public var configuration: String
        /// One host key of each, offered in this order.
        public var hostKeys: [TestKeyKind] = [.ed25519, .ecdsa, .rsa]
        /// Distinguishes host keys: another name means other keys, as after a reinstallation.
        public var hostKeyName = "host"
        /// Whether sshd asks PAM, whose `sshd` service is pam_unix.
        ///
        /// With it keyboard-interactive works.
        public var usePAM = false
        /// `127.0.0.1`, `::1`, or another address of the loopback interface.
        public var listenAddress = "127.0.0.1"
        /// The port; 0 finds a free one.
        public var port = 0
        /// The machine's name.
        public var hostName = "box"
        /// The users.
        public var users = SandboxUser.all
        /// authorized_keys lines of a user, by login name.
        ///
        /// Who is not named accepts ``SSHDSandbox/clientKey``.
        public var authorizedKeys: [String: [String]] = [:]
        /// Patterns for `AcceptEnv`.
        public var acceptedEnvironment: [String] = []
        /// `RekeyLimit`, as `1M` or `1M 1h`.
        public var rekeyLimit: String?
        /// Files by absolute path, outside `/usr`, `/proc`, `/dev` and `/small`.
        public var files: [String: SandboxFile] = [:]
        /// A directory whose `usr` is used instead of the machine's, for instance of another release.
        ///
        /// SSH_SANDBOX_ROOT of the environment by default.
        public var rootfs = SandboxEnvironment.rootfs
        /// SSH_SANDBOX_SERVER of the environment by default.
        public var server = SandboxEnvironment.server
        /// sshd as the sandbox sees it.
        public var sshd = "/usr/sbin/sshd"

        /// Where the host has the sandbox's `/usr`.
        var usr: String { rootfs.map { $0 + "/usr" } ?? "/usr" }

        /// The defaults, with these lines of sshd_config.
        public init(_ configuration: String = "") {
            self.configuration = configuration
        }

        /// Lets `user` in with `key`, in place of the default key; `keyOptions` as sshd(8) has them, `command="…"` for instance.
        public mutating func authorize(_ key: TestKey, for user: SandboxUser, keyOptions: String = "") {
            let line = keyOptions.isEmpty ? key.publicKey : "\(keyOptions) \(key.publicKey)"
            authorizedKeys[user.name, default: []].append(line)
        }
    }
}
