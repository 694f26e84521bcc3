/// Asks a person, or a program in a person's place. Time spent here counts against no deadline.
///
/// Return nil if no person is available; methods that you do not implement return nil. A thrown error ends the run with that
/// error.
public protocol SSHInteraction: Sendable {
    /// Asks whether to trust an unknown host key. Return true only for a clear yes.
    func accept(_ question: SSHHostKeyQuestion) async throws -> Bool?
    /// Asks for a key file's passphrase. Called again, up to twice, if the passphrase does not decrypt the key.
    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret?
    /// Asks for a password (RFC 4252 section 8). Called again if the server refuses the password.
    func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret?
    /// Answers the questions of keyboard-interactive, one answer each (RFC 4256).
    func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]?
}

extension SSHInteraction {
    /// Returns nil: an unknown host key is refused.
    public func accept(_ question: SSHHostKeyQuestion) async throws -> Bool? { nil }
    /// Returns nil: there is no passphrase.
    public func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? { nil }
    /// Returns nil: there is no password.
    public func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? { nil }
    /// Returns nil: there are no answers.
    public func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]? { nil }
}

/// One SSH_MSG_USERAUTH_INFO_REQUEST (RFC 4256 section 3.2): the server's questions.
public struct SSHPromptRequest: Sendable, Hashable {
    /// One question.
    public struct Prompt: Sendable, Hashable {
        /// The question, as the server words it.
        public var text: String
        /// Whether the answer may be shown while it is typed.
        public var echo: Bool

        /// Makes a question.
        public init(text: String, echo: Bool) {
            self.text = text
            self.echo = echo
        }
    }
    /// A title, often empty.
    public var name: String
    /// An instruction, often empty.
    public var instruction: String
    /// The questions; the list may be empty.
    public var prompts: [Prompt]
    /// Whether the server has refused the answers to an earlier request.
    public var isRetry = false

    /// Makes a request.
    public init(name: String, instruction: String, prompts: [Prompt]) {
        self.name = name
        self.instruction = instruction
        self.prompts = prompts
    }
}

/// The facts that a person needs to decide about a host key.
///
/// The other names are safe to print. The host is as the user gave it.
public struct SSHHostKeyQuestion: Sendable, Hashable {
    /// The name or address as the user gave it.
    public let host: String
    /// The port, 1 to 65535.
    public let port: Int
    /// The key's type, `ssh-ed25519` for example.
    public let keyType: String
    /// `SHA256:…`, to compare with the fingerprint that the server's administrator gives.
    public let fingerprint: String
    /// Other host names for which this same key is trusted already. A hashed name is `[hashed name]`.
    public let otherNames: [String]
    /// A `@cert-authority` line for the host. OpenSSH may trust the host by its certificate, which is not supported here.
    public let certificateAuthority: SSHKnownHostsLocation?
    /// The known_hosts lines that could not be understood.
    public let skippedLines: [SSHKnownHostsLocation]

    /// Makes a question, for example to test an ``SSHHostKeyTrust/Ask``.
    public init(
        host: String, port: Int, keyType: String, fingerprint: String, otherNames: [String] = [],
        certificateAuthority: SSHKnownHostsLocation? = nil, skippedLines: [SSHKnownHostsLocation] = []
    ) {
        self.host = host
        self.port = port
        self.keyType = keyType
        self.fingerprint = fingerprint
        self.otherNames = otherNames
        self.certificateAuthority = certificateAuthority
        self.skippedLines = skippedLines
    }
}
