/// A user of the sandboxed machine.
///
/// The home directory, `/home/NAME`, holds nothing but `.ssh/authorized_keys`.
public struct SandboxUser: Sendable, Hashable {
    /// Login name.
    public let name: String
    /// User and group id.
    public let id: UInt32
    /// The password, or nil for an account that is locked (`!` in shadow).
    public let password: String?
    /// Login shell.
    public let shell: String
    /// Days since 1970 at which the password was last changed, and how many days it may live.
    let passwordChanged: Int
    let passwordLifetime: Int
    /// Day since 1970 on which the account ended, if it did.
    let accountExpired: Int?
    /// The permissions of authorized_keys and of the home directory.
    let authorizedKeysMode: UInt32
    let homeMode: UInt32

    /// A user with a valid account.
    public init(name: String, id: UInt32, password: String?, shell: String = "/bin/bash") {
        self.init(name, id, password, shell: shell)
    }

    private init(
        _ name: String, _ id: UInt32, _ password: String?, shell: String = "/bin/bash", passwordChanged: Int = 19_000,
        passwordLifetime: Int = 99_999, accountExpired: Int? = nil, authorizedKeysMode: UInt32 = 0o600, homeMode: UInt32 = 0o755
    ) {
        self.name = name
        self.id = id
        self.password = password
        self.shell = shell
        self.passwordChanged = passwordChanged
        self.passwordLifetime = passwordLifetime
        self.accountExpired = accountExpired
        self.authorizedKeysMode = authorizedKeysMode
        self.homeMode = homeMode
    }

    /// bash; the usual one.
    public static let alice = SandboxUser("alice", 2001, "alice-pw")
    /// sh.
    public static let bob = SandboxUser("bob", 2002, "bob-pw", shell: "/bin/sh")
    /// A shell that refuses.
    public static let noshell = SandboxUser("noshell", 2003, "noshell-pw", shell: "/usr/sbin/nologin")
    /// A shell that does not exist: sshd refuses the account.
    public static let ghostshell = SandboxUser("ghostshell", 2004, "ghostshell-pw", shell: "/bin/does-not-exist")
    /// May use SFTP and nothing else (`ForceCommand internal-sftp`).
    public static let sftponly = SandboxUser("sftponly", 2005, "sftponly-pw")
    /// Locked: no password and, without PAM, no key either.
    public static let locked = SandboxUser("locked", 2006, nil)
    /// The password has aged out and must be changed.
    public static let expired = SandboxUser("expired", 2007, "expired-pw", passwordChanged: 10_000, passwordLifetime: 30)
    /// The account has ended.
    public static let gone = SandboxUser("gone", 2008, "gone-pw", accountExpired: 10_000)
    /// authorized_keys can be written by everyone, so that sshd ignores it.
    public static let loosekeys = SandboxUser("loosekeys", 2009, "loosekeys-pw", authorizedKeysMode: 0o666)
    /// The home directory can be written by everyone, with the same effect.
    public static let loosehome = SandboxUser("loosehome", 2010, "loosehome-pw", homeMode: 0o777)

    /// The users of every sandbox.
    public static let all = [alice, bob, noshell, ghostshell, sftponly, locked, expired, gone, loosekeys, loosehome]

    var passwdLine: String { "\(name):x:\(id):\(id)::/home/\(name):\(shell)" }
    var groupLine: String { "\(name):x:\(id):" }

    /// shadow(5).
    func shadowLine() throws -> String {
        let hash = try password.map(PasswordHash.make) ?? "!"
        let expiry = accountExpired.map(String.init) ?? ""
        return "\(name):\(hash):\(passwordChanged):0:\(passwordLifetime):7::\(expiry):"
    }
}
