extension SSHError.Code {
    /// The host is known under another key.
    public static let hostKeyChanged = Self(rawValue: "ssh.host-key.changed")
    /// The host key is marked as revoked.
    public static let hostKeyRevoked = Self(rawValue: "ssh.host-key.revoked")
    /// No known_hosts line names this host.
    public static let hostKeyUnknown = Self(rawValue: "ssh.host-key.unknown")
    /// The host is known, but only by key types that cannot be used here.
    public static let hostKeyOtherTypeKnown = Self(rawValue: "ssh.host-key.other-type-known")
    /// A known_hosts file that was asked for cannot be read.
    public static let hostKeyKnownHostsUnreadable = Self(rawValue: "ssh.host-key.known-hosts-unreadable")
    /// There is no such key file.
    public static let keyNotFound = Self(rawValue: "ssh.key.not-found")
    /// The key file cannot be read.
    public static let keyUnreadable = Self(rawValue: "ssh.key.unreadable")
    /// The file holds the public half of a key.
    public static let keyIsPublicKey = Self(rawValue: "ssh.key.is-public-key")
    /// The key is in a format that is not read here.
    public static let keyFormatUnsupported = Self(rawValue: "ssh.key.format-unsupported")
    /// The file is not a private key, or is damaged.
    public static let keyFormatInvalid = Self(rawValue: "ssh.key.format-invalid")
    /// The key is encrypted and there is no passphrase for it.
    public static let keyPassphraseRequired = Self(rawValue: "ssh.key.passphrase-required")
    /// The passphrase does not open the key.
    public static let keyPassphraseWrong = Self(rawValue: "ssh.key.passphrase-wrong")
    /// The key is encrypted in a way that is not supported here, or asks for too much work to be decrypted.
    public static let keyCipherUnsupported = Self(rawValue: "ssh.key.cipher-unsupported")
    /// A key of this type cannot be used here.
    public static let keyTypeUnsupported = Self(rawValue: "ssh.key.type-unsupported")
    /// The .pub file beside the key belongs to another key.
    public static let keyPublicKeyMismatch = Self(rawValue: "ssh.key.public-key-mismatch")
    /// Others can read the private key file.
    public static let keyPermissionsTooOpen = Self(rawValue: "ssh.key.permissions-too-open")
    /// The SSH agent cannot be reached or does not answer.
    public static let agentUnavailable = Self(rawValue: "ssh.agent.unavailable")
    /// The SSH agent holds no key.
    public static let agentEmpty = Self(rawValue: "ssh.agent.empty")
    /// The SSH agent refused to sign.
    public static let agentRefused = Self(rawValue: "ssh.agent.refused")
    /// The server did not accept the password.
    public static let authPasswordRejected = Self(rawValue: "ssh.auth.password-rejected")
    /// The server did not accept the key.
    public static let authKeyRejected = Self(rawValue: "ssh.auth.key-rejected")
    /// The server did not accept the answers to its questions.
    public static let authKeyboardInteractiveRejected = Self(rawValue: "ssh.auth.keyboard-interactive-rejected")
    /// The server refused an RSA key because it could only be used with SHA-1.
    public static let authRSASHA1Rejected = Self(rawValue: "ssh.auth.rsa-sha1-rejected")
    /// The server takes none of the login methods that we have.
    public static let authMethodNotOffered = Self(rawValue: "ssh.auth.method-not-offered")
    /// There is no key, agent or password to log in with.
    public static let authNoCredentials = Self(rawValue: "ssh.auth.no-credentials")
    /// One credential was accepted and the server wants another.
    public static let authMoreFactorsRequired = Self(rawValue: "ssh.auth.more-factors-required")
    /// The server counted too many login attempts.
    public static let authTooManyAttempts = Self(rawValue: "ssh.auth.too-many-attempts")
    /// The credentials were accepted, but the account may not log in.
    public static let authAccountDenied = Self(rawValue: "ssh.auth.account-denied")
    /// The password has expired and must be changed first.
    public static let authPasswordExpired = Self(rawValue: "ssh.auth.password-expired")
    /// The server asks a question and no person is available to answer it.
    public static let authInteractionRequired = Self(rawValue: "ssh.auth.interaction-required")
    /// The deadline passed during authentication.
    public static let authTimedOut = Self(rawValue: "ssh.auth.timed-out")
    /// The connection was closed or reset during authentication.
    public static let authConnectionDropped = Self(rawValue: "ssh.auth.connection-dropped")
}

extension SSHError {
    // The same codes for `catch SSHError.hostKeyChanged`.

    /// Matches `ssh.host-key.changed` in a `catch`.
    public static var hostKeyChanged: Code { .hostKeyChanged }
    /// Matches `ssh.host-key.revoked` in a `catch`.
    public static var hostKeyRevoked: Code { .hostKeyRevoked }
    /// Matches `ssh.host-key.unknown` in a `catch`.
    public static var hostKeyUnknown: Code { .hostKeyUnknown }
    /// Matches `ssh.host-key.other-type-known` in a `catch`.
    public static var hostKeyOtherTypeKnown: Code { .hostKeyOtherTypeKnown }
    /// Matches `ssh.host-key.known-hosts-unreadable` in a `catch`.
    public static var hostKeyKnownHostsUnreadable: Code { .hostKeyKnownHostsUnreadable }
    /// Matches `ssh.key.not-found` in a `catch`.
    public static var keyNotFound: Code { .keyNotFound }
    /// Matches `ssh.key.unreadable` in a `catch`.
    public static var keyUnreadable: Code { .keyUnreadable }
    /// Matches `ssh.key.is-public-key` in a `catch`.
    public static var keyIsPublicKey: Code { .keyIsPublicKey }
    /// Matches `ssh.key.format-unsupported` in a `catch`.
    public static var keyFormatUnsupported: Code { .keyFormatUnsupported }
    /// Matches `ssh.key.format-invalid` in a `catch`.
    public static var keyFormatInvalid: Code { .keyFormatInvalid }
    /// Matches `ssh.key.passphrase-required` in a `catch`.
    public static var keyPassphraseRequired: Code { .keyPassphraseRequired }
    /// Matches `ssh.key.passphrase-wrong` in a `catch`.
    public static var keyPassphraseWrong: Code { .keyPassphraseWrong }
    /// Matches `ssh.key.cipher-unsupported` in a `catch`.
    public static var keyCipherUnsupported: Code { .keyCipherUnsupported }
    /// Matches `ssh.key.type-unsupported` in a `catch`.
    public static var keyTypeUnsupported: Code { .keyTypeUnsupported }
    /// Matches `ssh.key.public-key-mismatch` in a `catch`.
    public static var keyPublicKeyMismatch: Code { .keyPublicKeyMismatch }
    /// Matches `ssh.key.permissions-too-open` in a `catch`.
    public static var keyPermissionsTooOpen: Code { .keyPermissionsTooOpen }
    /// Matches `ssh.agent.unavailable` in a `catch`.
    public static var agentUnavailable: Code { .agentUnavailable }
    /// Matches `ssh.agent.empty` in a `catch`.
    public static var agentEmpty: Code { .agentEmpty }
    /// Matches `ssh.agent.refused` in a `catch`.
    public static var agentRefused: Code { .agentRefused }
    /// Matches `ssh.auth.password-rejected` in a `catch`.
    public static var authPasswordRejected: Code { .authPasswordRejected }
    /// Matches `ssh.auth.key-rejected` in a `catch`.
    public static var authKeyRejected: Code { .authKeyRejected }
    /// Matches `ssh.auth.keyboard-interactive-rejected` in a `catch`.
    public static var authKeyboardInteractiveRejected: Code { .authKeyboardInteractiveRejected }
    /// Matches `ssh.auth.rsa-sha1-rejected` in a `catch`.
    public static var authRSASHA1Rejected: Code { .authRSASHA1Rejected }
    /// Matches `ssh.auth.method-not-offered` in a `catch`.
    public static var authMethodNotOffered: Code { .authMethodNotOffered }
    /// Matches `ssh.auth.no-credentials` in a `catch`.
    public static var authNoCredentials: Code { .authNoCredentials }
    /// Matches `ssh.auth.more-factors-required` in a `catch`.
    public static var authMoreFactorsRequired: Code { .authMoreFactorsRequired }
    /// Matches `ssh.auth.too-many-attempts` in a `catch`.
    public static var authTooManyAttempts: Code { .authTooManyAttempts }
    /// Matches `ssh.auth.account-denied` in a `catch`.
    public static var authAccountDenied: Code { .authAccountDenied }
    /// Matches `ssh.auth.password-expired` in a `catch`.
    public static var authPasswordExpired: Code { .authPasswordExpired }
    /// Matches `ssh.auth.interaction-required` in a `catch`.
    public static var authInteractionRequired: Code { .authInteractionRequired }
    /// Matches `ssh.auth.timed-out` in a `catch`.
    public static var authTimedOut: Code { .authTimedOut }
    /// Matches `ssh.auth.connection-dropped` in a `catch`.
    public static var authConnectionDropped: Code { .authConnectionDropped }
}
