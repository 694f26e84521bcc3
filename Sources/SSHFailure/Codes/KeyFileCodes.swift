import ErrorCore

// Codes for private key files.

extension SSHFailureCodes {
    /// The key file does not exist.
    public static var keyNotFound: SSHError.Code {
        .init(
            "ssh.key.not-found",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key File Missing",
                meaning: "The key file does not exist.",
                remedy: "Check the path, or make a key: \(run: "ssh-keygen -t ed25519 -f PATH").",
                example: "-i ~/.ssh/id_ed2551"))
    }

    /// The key file cannot be read.
    public static var keyUnreadable: SSHError.Code {
        .init(
            "ssh.key.unreadable",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key File Unreadable",
                meaning: "The key file cannot be read.",
                remedy: "Check its owner and permissions: \(run: "ls -l KEY").",
                example: "a key of another user, or a directory"))
    }

    /// The file holds a public key where a private key is needed.
    public static var keyIsPublicKey: SSHError.Code {
        .init(
            "ssh.key.is-public-key",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Public Key Given",
                meaning: "The file holds a public key where a private key is needed.",
                remedy: "Give the private key file, without .pub.",
                example: "-i ~/.ssh/id_ed25519.pub"))
    }

    /// The format of the key file is not supported.
    public static var keyFormatUnsupported: SSHError.Code {
        .init(
            "ssh.key.format-unsupported",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key Format Unsupported",
                meaning: "The format of the key file is not supported.",
                remedy: "Convert it, or make a new key: \(run: "ssh-keygen -t ed25519").",
                example: "a PuTTY .ppk file"))
    }

    /// The file is not a private key, or is damaged.
    public static var keyFormatInvalid: SSHError.Code {
        .init(
            "ssh.key.format-invalid",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key File Invalid",
                meaning: "The file is not a private key, or is damaged.",
                remedy: "Restore it from a backup, or make a new key.",
                example: "a key whose last line is missing"))
    }

    /// The key is encrypted and no passphrase is available.
    public static var keyPassphraseRequired: SSHError.Code {
        .init(
            "ssh.key.passphrase-required",
            .init(
                .sshKeyInvalid, .authentication, severity: .warning, retry: .afterFix,
                exit: .localFailure,
                title: "Passphrase Required",
                meaning: "The key is encrypted and no passphrase is available.",
                remedy: """
                    \(commandLine: "Run on a terminal", library: .askingInteraction), give \(option: .passphraseFile, "FILE"), or \
                    load it into the agent: \(run: "ssh-add KEY").
                    """,
                example: "an encrypted key in a cron job"))
    }

    /// The passphrase does not decrypt the key.
    public static var keyPassphraseWrong: SSHError.Code {
        .init(
            "ssh.key.passphrase-wrong",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Wrong Passphrase",
                meaning: "The passphrase does not decrypt the key.",
                remedy: "Check the passphrase: \(run: "ssh-keygen -y -f KEY").",
                example: "a mistyped passphrase"))
    }

    /// The key's encryption is not supported, or its key derivation has too many rounds.
    public static var keyCipherUnsupported: SSHError.Code {
        .init(
            "ssh.key.cipher-unsupported",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key Cipher Unsupported",
                meaning: "The key's encryption is not supported, or its key derivation has too many rounds.",
                remedy: "Encrypt it again: \(run: "ssh-keygen -p -Z aes256-ctr -a 16 -f KEY").",
                example: "a PEM key with DES, more than 1,024 rounds of bcrypt"))
    }

    /// Keys of this type are not supported.
    public static var keyTypeUnsupported: SSHError.Code {
        .init(
            "ssh.key.type-unsupported",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key Type Unsupported",
                meaning: "Keys of this type are not supported.",
                remedy: "Use an Ed25519, ECDSA or RSA key.",
                example: "a DSA key"))
    }

    /// The .pub file beside the private key belongs to another key.
    public static var keyPublicKeyMismatch: SSHError.Code {
        .init(
            "ssh.key.public-key-mismatch",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key Pair Mismatch",
                meaning: "The .pub file beside the private key belongs to another key.",
                remedy: "Write it again: \(run: "ssh-keygen -y -f KEY > KEY.pub").",
                example: "a .pub file left from another key"))
    }

    /// Other users can read the private key file.
    public static var keyPermissionsTooOpen: SSHError.Code {
        .init(
            "ssh.key.permissions-too-open",
            .init(
                .sshKeyInvalid, .authentication, retry: .afterFix, exit: .localFailure,
                title: "Key File Exposed",
                meaning: "Other users can read the private key file.",
                remedy: "Make it private: \(run: "chmod 600 KEY").",
                example: "a key of mode 0644"))
    }
}
