/// The reason why a private key file cannot be used, found before anything is sent over the network.
public struct SSHKeyProblem: Error, Sendable, Hashable, Codable {
    /// The kind of problem, with the names of the failure codes `ssh.key.…`.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// There is no such file.
        case notFound = "not-found"
        /// The file cannot be opened or read, or is not a regular file.
        case unreadable
        /// The file holds a public key or a certificate.
        case isPublicKey = "is-public-key"
        /// A key in a format that OpenSSH cannot read either; the detail says how to convert it.
        case formatUnsupported = "format-unsupported"
        /// The file is damaged, truncated, or not a key.
        case formatInvalid = "format-invalid"
        /// The key is encrypted, and no passphrase was given.
        case passphraseRequired = "passphrase-required"
        /// The passphrase does not decrypt the key.
        case passphraseWrong = "passphrase-wrong"
        /// The encryption is not supported, or decrypting costs too much time or memory. The detail names it.
        case cipherUnsupported = "cipher-unsupported"
        /// The type, curve or size of the key is not supported.
        case typeUnsupported = "type-unsupported"
        /// The `.pub` file beside the encrypted key belongs to another key.
        case publicKeyMismatch = "public-key-mismatch"
        /// Others can read the file, by the rule of OpenSSH.
        case permissionsTooOpen = "permissions-too-open"
    }

    /// What is wrong.
    public let reason: Reason
    /// The file, as the caller named it.
    public let path: String
    /// One sentence with the facts: a mode, a cipher, what the file looks like, and the remedy where one is known.
    public let detail: String
    /// The `errno` of the failed system call, if there was one.
    public let systemError: Int32?
    /// Present if PubkeyAcceptedAlgorithms of ssh_config(5) leaves the key out, and nothing is wrong with its file.
    private let leftOut: Bool?

    package init(reason: Reason, path: String, detail: String, systemError: Int32? = nil, isNotAccepted: Bool = false) {
        self.reason = reason
        self.path = path
        self.detail = detail
        self.systemError = systemError
        leftOut = isNotAccepted ? true : nil
    }

    /// Whether PubkeyAcceptedAlgorithms of ssh_config(5) leaves the key out.
    package var isNotAccepted: Bool { leftOut == true }
}

extension SSHKeyProblem: CustomStringConvertible {
    /// The path, the code's name and the detail.
    public var description: String { "\(path): \(reason.rawValue): \(detail)" }
}

extension SSHKeyProblem {
    /// A key that PubkeyAcceptedAlgorithms of ssh_config(5) leaves out.
    package static func notAccepted(_ path: String, _ algorithm: String) -> SSHKeyProblem {
        let name = PublicKeyAlgorithm.displayName(of: algorithm)
        return SSHKeyProblem(
            reason: .typeUnsupported, path: path, detail: "PubkeyAcceptedAlgorithms allows no algorithm of \(name) keys.",
            isNotAccepted: true)
    }

    /// The placeholder for the path of a key without a file.
    package static let inMemory = "the private key in memory"
    /// The detail of a file whose directory is missing too. `ssh-keygen` cannot write a key there either.
    package static let lacksDirectory = "Its directory does not exist."
}

/// An ``SSHKeyProblem`` from code that does not know the file's path.
package struct KeyDefect: Error, Hashable {
    package var reason: SSHKeyProblem.Reason
    var detail: String

    /// - Parameter detail: a sentence. `{file}` in it is replaced by the file's path, quoted for a shell.
    package init(_ reason: SSHKeyProblem.Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    package func problem(path: String) -> SSHKeyProblem {
        let plain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        // A key in memory has no path that a command could take.
        let quoted = path == SSHKeyProblem.inMemory ? "FILE" : plain ? path : "'" + path.replacing("'", with: #"'\''"#) + "'"
        return SSHKeyProblem(reason: reason, path: path, detail: detail.replacing("{file}", with: quoted))
    }
}
