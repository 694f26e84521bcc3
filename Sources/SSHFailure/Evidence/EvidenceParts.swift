/// A libssh2 call that failed: the function, its return code, and its error message.
public struct LibraryCall: Sendable, Hashable, Codable {
    /// The C function.
    public var function: String
    /// Its return code: negative, one of libssh2.h's LIBSSH2_ERROR values.
    public var code: Int32
    /// The symbolic name of the code without its prefix, such as `SOCKET_RECV`.
    public var name: String
    /// `libssh2_session_last_error`, if it was about this code; else empty.
    public var message: String

    /// A failed call.
    public init(function: String, code: Int32, name: String, message: String) {
        self.function = function
        self.code = code
        self.name = name
        self.message = message
    }
}

/// The state of the byte stream from the server.
public enum StreamEnd: Sendable, Hashable, Codable {
    /// It is still open as far as we know.
    case open
    /// The peer closed it in order (FIN).
    case closed
    /// The peer reset it (ECONNRESET, EPIPE).
    case reset
    /// Reading or writing failed with another errno.
    case failed(systemError: Int32)
}

/// One of our deadlines.
public struct Deadline: Sendable, Hashable, Codable {
    /// What the deadline is on.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Resolving the name.
        case resolve
        /// From the first connect to the open channel, without the person's typing time.
        case connect
        /// From a jump host's first connect to its identification: its own ConnectTimeout.
        case reach
        /// One command.
        case command
        /// A command without output.
        case idle
    }
    /// Which deadline.
    public var kind: Kind
    /// Its length in seconds.
    public var seconds: Double

    /// A deadline.
    public init(kind: Kind, seconds: Double) {
        self.kind = kind
        self.seconds = seconds
    }
}

/// The state of a copy that ended for another reason than a file.
public struct CopyEvidence: Sendable, Hashable, Codable {
    /// Files that are complete.
    public var files: Int
    /// Whether partial copies are kept for a later copy to resume.
    public var resumes: Bool
    /// Partial copies that are left, or may be where the other side could no longer be asked.
    public var partialFiles: [String]

    /// The partial copies.
    public init(files: Int = 0, resumes: Bool, partialFiles: [String] = []) {
        self.files = files
        self.resumes = resumes
        self.partialFiles = partialFiles
    }
}

/// One side's offer in SSH_MSG_KEXINIT (RFC 4253 section 7.1), in its order of preference.
public struct AlgorithmLists: Sendable, Hashable, Codable {
    /// Key exchange methods.
    public var keyExchange: [String] = []
    /// Host key algorithms.
    public var hostKey: [String] = []
    /// Ciphers, client to server.
    public var cipherToServer: [String] = []
    /// Ciphers, server to client.
    public var cipherToClient: [String] = []
    /// MACs, client to server.
    public var macToServer: [String] = []
    /// MACs, server to client.
    public var macToClient: [String] = []
    /// Compression, client to server.
    public var compressionToServer: [String] = []
    /// Compression, server to client.
    public var compressionToClient: [String] = []

    /// Empty lists.
    public init() {}
}

/// The algorithms that both sides negotiated in key exchange (RFC 4253 section 7.1).
public struct ChosenAlgorithms: Sendable, Hashable, Codable {
    /// The key exchange method.
    public var keyExchange = ""
    /// The host key algorithm: that of the server's signature, not the key's type.
    public var hostKey = ""
    /// The cipher, client to server.
    public var cipherToServer = ""
    /// The cipher, server to client.
    public var cipherToClient = ""
    /// The MAC, client to server; nil where the cipher authenticates by itself (RFC 5647 section 5.1).
    public var macToServer: String?
    /// The MAC, server to client; nil where the cipher authenticates by itself.
    public var macToClient: String?

    /// Nothing yet.
    public init() {}
}

/// SSH_MSG_DISCONNECT (RFC 4253 section 11.1).
public struct DisconnectMessage: Sendable, Hashable, Codable {
    /// The reason code; OpenSSH's server always sends 2.
    public var reason: UInt32
    /// The server's description, truncated to 1024 bytes.
    public var description: String

    /// A disconnect message.
    public init(reason: UInt32, description: String) {
        self.reason = reason
        self.description = description
    }
}

/// An address that was tried and did not answer as it should.
public struct AddressFailure: Sendable, Hashable, Codable {
    /// The address and port, `192.0.2.1:22` or `[2001:db8::1]:22`.
    public var address: String
    /// The errno of `connect(2)`; nil when the deadline passed first.
    public var systemError: Int32?

    /// A failed address.
    public init(address: String, systemError: Int32?) {
        self.address = address
        self.systemError = systemError
    }
}

/// The server's host key and what was known about it.
public struct HostKeyEvidence: Sendable, Hashable, Codable {
    /// The key type, such as `ssh-ed25519`.
    public var algorithm: String
    /// `SHA256:` and unpadded base64, as ssh-keygen prints it.
    public var fingerprint: String
    /// The verdict of the known_hosts files.
    public var verdict: HostKeyVerdict
    /// The policy that applied.
    public var policy: HostKeyPolicy
    /// Whether a person was asked and declined.
    public var declined = false
    /// The key's size as `ssh-keygen -l` counts it, where its kind is known.
    public var bits: Int?
    /// The name under which known_hosts was searched, such as `[web1]:2222` or a HostKeyAlias; nil where it is the host's own.
    public var listedAs: String?
    /// Fingerprints of which the server was to present a key, and presented none.
    public var expected: [String] = []

    /// Host key evidence.
    public init(algorithm: String, fingerprint: String, verdict: HostKeyVerdict, policy: HostKeyPolicy) {
        self.algorithm = algorithm
        self.fingerprint = fingerprint
        self.verdict = verdict
        self.policy = policy
    }

    package init(_ key: HostKey, verdict: HostKeyVerdict, policy: HostKeyPolicy) {
        self.init(algorithm: key.algorithm, fingerprint: key.fingerprint, verdict: verdict, policy: policy)
        bits = (try? SSHPublicKey(blob: key.blob))?.bits
    }
}
