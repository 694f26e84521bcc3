/// Which algorithms are offered in key exchange (RFC 4253 section 7.1), each list in order of preference.
///
/// The defaults are what OpenSSH 9.2 offers by default, as far as a libssh2 has it; of a list only what the loaded libssh2
/// knows is offered. Its SHA-1 groups, MD5, arcfour, 3DES, CBC and DSS are offered only when they are asked for here.
public struct SSHAlgorithmPreferences: Sendable, Hashable {
    /// Key exchange methods.
    public var keyExchange = [
        "mlkem768x25519-sha256", "curve25519-sha256", "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256",
        "ecdh-sha2-nistp384", "ecdh-sha2-nistp521", "diffie-hellman-group-exchange-sha256",
        "diffie-hellman-group16-sha512", "diffie-hellman-group18-sha512", "diffie-hellman-group14-sha256",
    ]
    /// Host key algorithms; those that known_hosts knows for a host are moved to the front.
    public var hostKey = [
        "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "rsa-sha2-512",
        "rsa-sha2-256",
    ]
    /// Ciphers, for both directions.
    ///
    /// Among what is secure, ordered by what libssh2 costs: its AES-GCM is the slowest. `chacha20-poly1305@openssh.com` is
    /// among the defaults only with a libssh2 that survives a packet altered on the way (later than 1.11.1).
    public var ciphers = Self.defaultCiphers

    private static let defaultCiphers: [String] = {
        let others = ["aes128-ctr", "aes192-ctr", "aes256-ctr", "aes128-gcm@openssh.com", "aes256-gcm@openssh.com"]
        return LibraryVulnerability.isOpen(.chachaPacket) ? others : ["chacha20-poly1305@openssh.com"] + others
    }()

    /// MACs, for both directions.
    public var macs = [
        "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha1-etm@openssh.com", "hmac-sha2-256",
        "hmac-sha2-512", "hmac-sha1",
    ]

    /// The defaults, except for the given lists.
    public init(
        keyExchange: [String]? = nil, hostKey: [String]? = nil, ciphers: [String]? = nil, macs: [String]? = nil
    ) {
        if let keyExchange { self.keyExchange = keyExchange }
        if let hostKey { self.hostKey = hostKey }
        if let ciphers { self.ciphers = ciphers }
        if let macs { self.macs = macs }
    }
}
