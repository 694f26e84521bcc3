import ErrorCore

// Private keys that cannot be used.

extension SSHError.Code {
    /// The key file does not exist.
    public static let keyNotFound = Self(
        "ssh.key.not-found", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key File Missing",
        meaning: "The key file does not exist.",
        remedy: "Check the path given with --identity or IdentityFile.",
        example: "-i ~/.ssh/id_ed2551")

    /// The key file cannot be read.
    public static let keyUnreadable = Self(
        "ssh.key.unreadable", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key File Unreadable",
        meaning: "The key file cannot be read.",
        remedy: "Check its owner and permissions: `ls -l`.",
        example: "a key of another user, or a directory")

    /// The file holds a public key where a private key is needed.
    public static let keyIsPublicKey = Self(
        "ssh.key.is-public-key", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Public Key Given",
        meaning: "The file holds a public key where a private key is needed.",
        remedy: "Give the private key file, without .pub.",
        example: "-i ~/.ssh/id_ed25519.pub")

    /// The format of the key file is not supported.
    public static let keyFormatUnsupported = Self(
        "ssh.key.format-unsupported", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key Format Unsupported",
        meaning: "The format of the key file is not supported.",
        remedy: "Convert it, or make a new key: `ssh-keygen -t ed25519`.",
        example: "a PuTTY .ppk file")

    /// The file is not a private key, or is damaged.
    public static let keyFormatInvalid = Self(
        "ssh.key.format-invalid", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key File Invalid",
        meaning: "The file is not a private key, or is damaged.",
        remedy: "Restore it from a backup, or make a new key.",
        example: "a key whose last line is missing")

    /// The key is encrypted and no passphrase is available.
    public static let keyPassphraseRequired = Self(
        "ssh.key.passphrase-required", .sshKeyInvalid, .authentication, severity: .warning, retry: .afterFix,
        exit: .localFailure,
        title: "Passphrase Required",
        meaning: "The key is encrypted and no passphrase is available.",
        remedy: "Run on a terminal, give --passphrase-file, or load it into the agent: `ssh-add`.",
        example: "an encrypted key in a cron job")

    /// The passphrase does not decrypt the key.
    public static let keyPassphraseWrong = Self(
        "ssh.key.passphrase-wrong", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Wrong Passphrase",
        meaning: "The passphrase does not decrypt the key.",
        remedy: "Check the passphrase: `ssh-keygen -y -f KEY`.",
        example: "a mistyped passphrase")

    /// The key's encryption is not supported, or its key derivation has too many rounds.
    public static let keyCipherUnsupported = Self(
        "ssh.key.cipher-unsupported", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key Cipher Unsupported",
        meaning: "The key's encryption is not supported, or its key derivation has too many rounds.",
        remedy: "Encrypt it again: `ssh-keygen -p -Z aes256-ctr -a 16 -f KEY`.",
        example: "a PEM key with DES, more than 1,024 rounds of bcrypt")

    /// Keys of this type are not supported.
    public static let keyTypeUnsupported = Self(
        "ssh.key.type-unsupported", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key Type Unsupported",
        meaning: "Keys of this type are not supported.",
        remedy: "Use an Ed25519, ECDSA or RSA key.",
        example: "a DSA key")

    /// The .pub file beside the private key belongs to another key.
    public static let keyPublicKeyMismatch = Self(
        "ssh.key.public-key-mismatch", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key Pair Mismatch",
        meaning: "The .pub file beside the private key belongs to another key.",
        remedy: "Write it again: `ssh-keygen -y -f KEY > KEY.pub`.",
        example: "a .pub file left from another key")

    /// Other users can read the private key file.
    public static let keyPermissionsTooOpen = Self(
        "ssh.key.permissions-too-open", .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
        title: "Key File Exposed",
        meaning: "Other users can read the private key file.",
        remedy: "Make it private: `chmod 600 KEY`.",
        example: "a key of mode 0644")
}
