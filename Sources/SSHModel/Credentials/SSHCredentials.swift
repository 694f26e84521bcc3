/// The credentials for user authentication.
///
/// They are offered in this order: public keys from files, the agent's other keys, the password, keyboard-interactive.
public struct SSHCredentials: Sendable {
    /// Private key files, in the order in which they are offered.
    public var identities: [SSHIdentity]
    /// Certificate files (CertificateFile of ssh_config(5)). They are offered before all keys, each with the identity or the
    /// agent's key that it certifies. If the list is empty, the certificate in `IDENTITY-cert.pub` is offered after each
    /// identity.
    public var certificates: [String]
    /// The passphrase of encrypted identities. If it is nil, ``SSHInteraction/passphrase(forKeyAt:isRetry:)`` is called.
    public var passphrase: SSHSecret?
    /// The agent's unix-domain socket.
    public var agentSocket: String?
    /// Whether only the agent's keys that are also identities are offered (IdentitiesOnly of ssh_config(5)).
    public var identitiesOnly: Bool
    /// The password, for the methods password and keyboard-interactive. Offered once.
    public var password: SSHSecret?
    /// Decides whether the password is offered. If nil, it always is.
    package var passwordPermit: (any PasswordPermit)?
    /// The signature algorithms with which a key may be offered (PubkeyAcceptedAlgorithms of ssh_config(5)); nil for all.
    package var acceptedAlgorithms: [String]?
    /// The permitted methods, in the order in which they are tried (PreferredAuthentications of ssh_config(5)). Other methods
    /// are never tried.
    public var methods: [SSHAuthenticationMethod]
    /// How often a person is asked for a password, 0 or more; also for keyboard-interactive (NumberOfPasswordPrompts). Default
    /// 3.
    public var passwordPrompts: Int

    /// Makes credentials of the given parts; by default there are none.
    public init(
        identities: [SSHIdentity] = [], certificates: [String] = [], passphrase: SSHSecret? = nil, agentSocket: String? = nil,
        identitiesOnly: Bool = false, password: SSHSecret? = nil,
        methods: [SSHAuthenticationMethod] = SSHAuthenticationMethod.allCases, passwordPrompts: Int = 3
    ) {
        self.identities = identities
        self.certificates = certificates
        self.passphrase = passphrase
        self.agentSocket = agentSocket
        self.identitiesOnly = identitiesOnly
        self.password = password
        self.methods = methods
        self.passwordPrompts = passwordPrompts
    }
}

/// A way to authenticate (RFC 4252, RFC 4256), by its name on the wire.
public enum SSHAuthenticationMethod: String, Sendable, Hashable, CaseIterable {
    /// Authentication by a signature with a private key.
    case publicKey = "publickey"
    /// Authentication by a password that is sent to the server.
    case password
    /// Authentication by answers to the server's questions.
    case keyboardInteractive = "keyboard-interactive"
}

/// Decides whether the password is offered to one host, and learns the result.
///
/// The same wrong password, offered to many hosts, would lock as many accounts.
package protocol PasswordPermit: Sendable {
    /// Called before the password is offered for the first time in a connection. Time spent here counts against no deadline.
    func mayOffer() async -> Bool
    /// The permitted password was not offered, and will not be offered on this connection.
    func unused() async
    /// The server has accepted or refused the password.
    ///
    /// Not called if the connection ends without an answer. The server may nevertheless have counted a failed attempt.
    func answered(accepted: Bool) async
}

/// A key to authenticate with: a private key file, a private key in memory, or another that signs.
public struct SSHIdentity: Sendable {
    /// The file's path; for a key without a file its fingerprint.
    public var path: String
    /// Whether the identity is one that `ssh` tries by default. A missing or unusable default identity is not a failure.
    public var isDefault: Bool
    /// The signer of a key without a file; nil for a key file.
    public let signer: (any SSHSigner)?

    /// A private key file. It is read, and if necessary decrypted, for every connection.
    public init(path: String, isDefault: Bool = false) {
        self.path = path
        self.isDefault = isDefault
        signer = nil
    }

    /// A key with its own signer.
    public init(signer: any SSHSigner) {
        path = signer.publicKey.fingerprint
        isDefault = false
        self.signer = signer
    }

    /// The name for messages. A bare file name gets `./`, so that it reads as a path, in a command line too. A key without a
    /// file has its comment or its fingerprint.
    package var label: String {
        guard let signer else { return path.contains("/") ? path : "./" + path }
        return signer.publicKey.comment.isEmpty ? path : signer.publicKey.comment
    }

    package var withoutSigner: SSHIdentity { SSHIdentity(path: path, isDefault: isDefault) }
}

extension SSHIdentity: Hashable {
    /// Two keys without a file are equal when their public halves are.
    public static func == (one: Self, other: Self) -> Bool {
        one.path == other.path && one.isDefault == other.isDefault && (one.signer == nil) == (other.signer == nil)
    }

    /// Hashes the path, which for a key without a file is its fingerprint.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(isDefault)
    }
}

/// Signs for a user with a key that this library does not hold: in a key management service, a hardware module or a vault.
///
/// ```swift
/// struct VaultKey: SSHSigner {
///     let publicKey: SSHPublicKey
///     func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
///         SSHSignature(try await vault.sign(data, with: "deploy"))
///     }
/// }
/// configuration.credentials.identities = [SSHIdentity(signer: VaultKey(publicKey: try SSHPublicKey(line: "ssh-ed25519
/// AAAA…")))]
/// ```
public protocol SSHSigner: Sendable {
    /// The public key that verifies its signatures, or a certificate of it.
    var publicKey: SSHPublicKey { get }

    /// Signs.
    ///
    /// Called after the server has said that it would accept the key. The connection's deadline keeps running.
    ///
    /// - Parameters:
    ///   - data: the whole message to sign; hashing is part of the signature algorithm.
    ///   - algorithm: `ssh-ed25519`, `ecdsa-sha2-nistp256` (SHA-256), `ecdsa-sha2-nistp384` (SHA-384), `ecdsa-sha2-nistp521`
    ///     (SHA-512), `rsa-sha2-512` or `rsa-sha2-256`.
    /// - Throws: any error. The key is then skipped, and a notice quotes the error. `CancellationError` ends the connection
    ///   attempt.
    func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature
}

/// A signature, in SSH's encoding for its algorithm.
public struct SSHSignature: Sendable, Hashable {
    /// The signature blob without the algorithm's name (RFC 4253 section 6.6).
    package let bytes: [UInt8]

    /// A signature that SSH sends unchanged: the 64 bytes of Ed25519 (RFC 8709 section 6), or PKCS #1 v1.5 of RSA (RFC 8332
    /// section 3).
    public init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    /// An ECDSA signature from its two numbers, each big-endian (RFC 5656 section 3.1.2).
    public init(ecdsaR r: some Collection<UInt8>, s: some Collection<UInt8>) {
        var writer = SSHWireWriter()
        writer.mpint(r)
        writer.mpint(s)
        bytes = writer.bytes
    }

    /// An ECDSA signature from swift-crypto's `rawRepresentation`: both numbers, of equal length, one after the other.
    public init(ecdsaRawRepresentation raw: some Collection<UInt8>) {
        self.init(ecdsaR: raw.prefix(raw.count / 2), s: raw.suffix(raw.count / 2))
    }
}
