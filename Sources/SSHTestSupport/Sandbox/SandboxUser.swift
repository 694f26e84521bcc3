import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A user of the sandboxed machine.
///
/// The home directory, `/home/NAME`, contains only `.ssh/authorized_keys`.
public struct SandboxUser: Sendable, Hashable {
    /// Login name.
    public let name: String
    /// User and group id.
    public let id: UInt32
    /// The password, or nil for an account that is locked (`!` in shadow).
    public let password: String?
    /// Login shell.
    public let shell: String
    /// The day since 1970 of the last password change, and the password's lifetime in days.
    let passwordChanged: Int
    let passwordLifetime: Int
    /// The day since 1970 on which the account expired; nil if it has not.
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

    /// The usual user, with bash.
    public static let alice = SandboxUser("alice", 2001, "alice-pw")
    /// A user with sh.
    public static let bob = SandboxUser("bob", 2002, "bob-pw", shell: "/bin/sh")
    /// A user whose shell is nologin.
    public static let noshell = SandboxUser("noshell", 2003, "noshell-pw", shell: "/usr/sbin/nologin")
    /// A user whose shell does not exist. sshd refuses the account.
    public static let ghostshell = SandboxUser("ghostshell", 2004, "ghostshell-pw", shell: "/bin/does-not-exist")
    /// A user who may use only SFTP (`ForceCommand internal-sftp`).
    public static let sftponly = SandboxUser("sftponly", 2005, "sftponly-pw")
    /// A locked account: no password and, without PAM, no key is accepted.
    public static let locked = SandboxUser("locked", 2006, nil)
    /// A user whose password has expired and must be changed.
    public static let expired = SandboxUser("expired", 2007, "expired-pw", passwordChanged: 10_000, passwordLifetime: 30)
    /// A user whose account has expired.
    public static let gone = SandboxUser("gone", 2008, "gone-pw", accountExpired: 10_000)
    /// A user whose authorized_keys is writable by everyone, so that sshd ignores it.
    public static let loosekeys = SandboxUser("loosekeys", 2009, "loosekeys-pw", authorizedKeysMode: 0o666)
    /// A user whose home directory is writable by everyone, with the same effect.
    public static let loosehome = SandboxUser("loosehome", 2010, "loosehome-pw", homeMode: 0o777)

    /// The users of every sandbox.
    public static let all = [alice, bob, noshell, ghostshell, sftponly, locked, expired, gone, loosekeys, loosehome]

    var passwdLine: String { "\(name):x:\(id):\(id)::/home/\(name):\(shell)" }
    var groupLine: String { "\(name):x:\(id):" }

    func shadowLine() throws -> String {
        let hash = try password.map(PasswordHash.make) ?? "!"
        let expiry = accountExpired.map(String.init) ?? ""
        return "\(name):\(hash):\(passwordChanged):0:\(passwordLifetime):7::\(expiry):"
    }
}

/// Hashes passwords for `/etc/shadow`, by SHA-512 crypt (crypt(5)).
enum PasswordHash {
    struct Unavailable: Error {}

    /// A cache, because every sandbox has the same users. Its lock also protects `crypt`, whose result is in static memory.
    private static let cache = Mutex<[String: String]>([:])

    static func make(_ password: String) throws -> String {
        try cache.withLock { cache in
            if let known = cache[password] { return known }
            let alphabet = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
            let salt = String((0..<16).compactMap { _ in alphabet.randomElement() })
            // 1,000 rounds is the minimum. These passwords need no protection.
            guard let hash = crypt(password, "$6$rounds=1000$\(salt)$") else { throw Unavailable() }
            let text = String(cString: hash)
            // libcrypt returns `*0` or `*1` for an unsupported method.
            guard text.hasPrefix("$6$") else { throw Unavailable() }
            cache[password] = text
            return text
        }
    }
}
