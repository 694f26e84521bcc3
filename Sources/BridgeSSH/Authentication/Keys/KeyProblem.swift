/// Why a private key file cannot be used.
public struct KeyProblem: Error, Sendable, Hashable, Codable {
    /// The kinds of trouble; the raw values end the codes `ssh.key.…`.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// There is no such file.
        case notFound = "not-found"
        /// The file cannot be read.
        case unreadable
        /// It is the public half.
        case isPublicKey = "is-public-key"
        /// A key in a format that we do not read.
        case formatUnsupported = "format-unsupported"
        /// Not a private key, or a damaged one.
        case formatInvalid = "format-invalid"
        /// Encrypted, and there is no passphrase.
        case passphraseRequired = "passphrase-required"
        /// Encrypted, and the passphrase does not open it.
        case passphraseWrong = "passphrase-wrong"
        /// Encrypted with a cipher that we do not have.
        case cipherUnsupported = "cipher-unsupported"
        /// A type of key that cannot be used.
        case typeUnsupported = "type-unsupported"
        /// The `.pub` file beside it belongs to another key.
        case publicKeyMismatch = "public-key-mismatch"
        /// Others may read it.
        case permissionsTooOpen = "permissions-too-open"
    }
    /// What kind of trouble.
    public var reason: Reason
    /// The file.
    public var path: String
    /// The facts, in one plain sentence.
    public var detail: String
    /// The errno, where the system refused.
    public var systemError: Int32?

    /// A problem.
    public init(reason: Reason, path: String, detail: String, systemError: Int32? = nil) {
        self.reason = reason
        self.path = path
        self.detail = detail
        self.systemError = systemError
    }
}
