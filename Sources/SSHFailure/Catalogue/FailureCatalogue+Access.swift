import ErrorCore

extension FailureCatalogue {
    /// Failures of trust, keys and authentication.
    static let accessRows: [Row] = [
        Row(
            .hostKeyChanged, .sshHostKeyMismatch, .hostKey, .trust, .critical, .never, .hostKeyFailure,
            "Host Key Changed", "The host is known under another key."),
        Row(
            .hostKeyRevoked, .sshHostKeyMismatch, .hostKey, .trust, .critical, .never, .hostKeyFailure,
            "Host Key Revoked", "The host key is marked as revoked."),
        Row(
            .hostKeyUnknown, .sshHostKeyMismatch, .hostKey, .trust, .warning, .afterFix, .hostKeyFailure,
            "Host Key Unknown", "No known_hosts line names this host."),
        Row(
            .hostKeyOtherTypeKnown, .sshHostKeyMismatch, .hostKey, .trust, .error, .afterFix, .hostKeyFailure,
            "Host Key Type Unknown", "The host is known, but only by key types that cannot be used here."),
        Row(
            .hostKeyKnownHostsUnreadable, .fileReadError, .hostKey, .file, .error, .afterFix, .localFailure,
            "Known Hosts Unreadable", "A known_hosts file that was asked for cannot be read."),
        Row(
            .keyNotFound, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key File Missing", "There is no such key file."),
        Row(
            .keyUnreadable, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key File Unreadable", "The key file cannot be read."),
        Row(
            .keyIsPublicKey, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Public Key Given", "The file holds the public half of a key."),
        Row(
            .keyFormatUnsupported, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key Format Unsupported", "The key is in a format that is not read here."),
        Row(
            .keyFormatInvalid, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key File Invalid", "The file is not a private key, or is damaged."),
        Row(
            .keyPassphraseRequired, .sshKeyInvalid, .key, .authentication, .warning, .afterFix, .localFailure,
            "Passphrase Needed", "The key is encrypted and there is no passphrase for it."),
        Row(
            .keyPassphraseWrong, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Wrong Passphrase", "The passphrase does not open the key."),
        Row(
            .keyCipherUnsupported, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key Cipher Unsupported",
            "The key is encrypted in a way that is not supported here, or asks for too much work to be decrypted."),
        Row(
            .keyTypeUnsupported, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key Type Unsupported", "A key of this type cannot be used here."),
        Row(
            .keyPublicKeyMismatch, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key Halves Differ", "The .pub file beside the key belongs to another key."),
        Row(
            .keyPermissionsTooOpen, .sshKeyInvalid, .key, .authentication, .error, .afterFix, .localFailure,
            "Key File Exposed", "Others can read the private key file."),
        Row(
            .agentUnavailable, .sshAuthenticationFailed, .authentication, .authentication, .error, .afterFix,
            .authenticationFailure,
            "Agent Unavailable", "The SSH agent cannot be reached or does not answer."),
        Row(
            .agentEmpty, .sshAuthenticationFailed, .authentication, .authentication, .error, .afterFix, .authenticationFailure,
            "Agent Has No Keys", "The SSH agent holds no key."),
        Row(
            .agentRefused, .sshAuthenticationFailed, .authentication, .authentication, .error, .afterFix, .authenticationFailure,
            "Agent Refused", "The SSH agent refused to sign."),
        Row(
            .authPasswordRejected, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "Password Rejected", "The server did not accept the password."),
        Row(
            .authKeyRejected, .sshAuthenticationFailed, .authentication, .authentication, .error, .never, .authenticationFailure,
            "Key Rejected", "The server did not accept the key."),
        Row(
            .authKeyboardInteractiveRejected, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "Answers Rejected", "The server did not accept the answers to its questions."),
        Row(
            .authRSASHA1Rejected, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "RSA SHA-1 Rejected", "The server refused an RSA key because it could only be used with SHA-1."),
        Row(
            .authMethodNotOffered, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "Login Method Not Offered", "The server takes none of the login methods that we have."),
        Row(
            .authNoCredentials, .sshAuthenticationFailed, .authentication, .authentication, .error, .afterFix,
            .authenticationFailure,
            "Nothing To Offer", "There is no key, agent or password to log in with."),
        Row(
            .authMoreFactorsRequired, .sshAuthenticationFailed, .authentication, .authentication, .error, .afterFix,
            .authenticationFailure,
            "Another Factor Needed", "One credential was accepted and the server wants another."),
        Row(
            .authTooManyAttempts, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "Too Many Attempts", "The server counted too many login attempts."),
        Row(
            .authAccountDenied, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "Account Denied", "The credentials were accepted, but the account may not log in."),
        Row(
            .authPasswordExpired, .sshAuthenticationFailed, .authentication, .authentication, .error, .never,
            .authenticationFailure,
            "Password Expired", "The password has expired and must be changed first."),
        Row(
            .authInteractionRequired, .sshAuthenticationFailed, .authentication, .authentication, .error, .afterFix,
            .authenticationFailure,
            "Answer Needed", "The server asks a question and nobody is there to answer."),
        Row(
            .authTimedOut, .sshTimeout, .authentication, .authentication, .error, .backoff(), .timedOut,
            "Login Timed Out", "The deadline passed during authentication."),
        Row(
            .authConnectionDropped, .sshAuthenticationFailed, .authentication, .authentication, .error, .backoff(),
            .authenticationFailure,
            "Closed During Login", "The connection was closed or reset during authentication."),
    ]
}
