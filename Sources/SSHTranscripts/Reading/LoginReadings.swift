/// A login as a library's own log tells it.
struct LoggedLogin: Sendable {
    /// The methods in the order in which they were tried. The first is usually `none`, which has no credential.
    private var tried: [String] = []
    /// The methods that the server named last.
    private var offered: [String] = []
    private static let maximumTries = 16

    /// `password`, `publickey -- check`
    mutating func note(tried method: String) {
        guard let name = method.split(separator: " ").first, tried.count < Self.maximumTries else { return }
        tried.append(String(name))
    }

    /// `publickey,password`
    mutating func note(offered methods: String) { offered = methods.split(separator: ",").map(String.init) }

    /// Whether a log of this kind was read.
    var isPresent: Bool { !tried.isEmpty }

    /// Why the login failed; nil if the log tells too little.
    var refusal: TranscriptReading? {
        let held = tried.filter { $0 != "none" }
        if held.isEmpty || offered.isEmpty { return nil }
        // sshd lists keyboard-interactive even if it has no questions, and then refuses it at once.
        let taken = held.filter { offered.contains($0) }
        guard let last = taken.last(where: { $0 != "keyboard-interactive" }) ?? taken.last else {
            return .methodNotOffered(offered, .likely)
        }
        return .refused(last, .guess, alternatives: SharedAlternatives.login)
    }
}

/// Readings of logins that are common to several clients.
extension TranscriptReading {
    /// A credential was refused.
    static func refused(_ method: String, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        Self(.plain, .credentialsExhausted, at: .authentication, confidence, alternatives: alternatives) {
            var login = SSHAuthenticationEvidence()
            login.methodsHeld = [method]
            login.attempts = [SSHAuthenticationAttempt(method: method, credential: "that was offered", outcome: .refused)]
            $0.authentication = login
        }
    }

    /// A credential was accepted, and the server wants another.
    static func moreFactors(_ remaining: [String], _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        Self(.telling, .credentialsExhausted, at: .authentication, confidence, alternatives: alternatives) {
            var login = SSHAuthenticationEvidence()
            login.methodsRemaining = remaining
            login.partialSuccess = true
            login.attempts = [SSHAuthenticationAttempt(method: "publickey", credential: "that was offered", outcome: .partial)]
            $0.authentication = login
        }
    }

    /// The server accepts none of the methods that the client had left.
    ///
    /// - Parameter refused: the method that the message names as not accepted; nil if it names none.
    static func methodNotOffered(
        _ offered: [String], refused: String? = nil, _ confidence: SSHError.Confidence, alternatives: [String] = []
    ) -> Self {
        let accepted = offered.map { $0.oneLine(60) }.listed()
        var reading = Self.direct(.telling, .authMethodNotOffered, confidence, alternatives: alternatives) {
            let message =
                if let refused, offered.isEmpty {
                    "\($0.server) does not accept logins by \(refused.oneLine(60))."
                } else if offered.isEmpty {
                    "\($0.server) accepts none of the methods that the client had left."
                } else if let refused {
                    "\($0.server) accepts \(accepted), and not \(refused.oneLine(60))."
                } else {
                    "\($0.server) accepts \(accepted), and the client had no credential left for \(offered.count == 1 ? "it" : "them")."
                }
            return VerdictText(message, hint: credentialHint(offered))
        }
        var login = SSHAuthenticationEvidence()
        login.methodsOffered = offered.isEmpty ? nil : offered
        reading.evidence.authentication = login
        return reading
    }

    private static func credentialHint(_ offered: [String]) -> RemedyText {
        if offered.isEmpty {
            return """
                Run \(run: "ssh -v", .placeholders, isQuoted: false) to the host: it lists the methods that the server accepts. Use one \
                of these.
                """
        }
        let takesPassword = offered.contains("password") || offered.contains("keyboard-interactive")
        return switch (offered.contains("publickey"), takesPassword) {
        case (true, true): "Give the client a key that the account knows, or its password."
        case (true, false): "Give the client a key that the account knows, or load one into an agent (\(run: "ssh-add"))."
        case (false, true): "Give the client the account's password."
        case (false, false): "Allow publickey or password on the server, or use a client for one of these methods."
        }
    }

    static func noCredentials(_ confidence: SSHError.Confidence) -> Self {
        Self(.telling, .credentialsExhausted, at: .authentication, confidence) { $0.authentication = SSHAuthenticationEvidence() }
    }

    static func tooManyAttempts(_ confidence: SSHError.Confidence = .exact) -> Self {
        Self(.telling, .streamEnded, at: .authentication, confidence) {
            $0.stream = .closed
            $0.disconnect = SSHDisconnectMessage(reason: 2, description: "Too many authentication failures")
        }
    }

    /// The login ended after too many attempts, in words that are not the server's.
    static func attemptsExhausted(_ confidence: SSHError.Confidence) -> Self {
        .direct(.telling, .authTooManyAttempts, confidence) {
            VerdictText(
                "The login of \($0.person) on \($0.server) ended after too many attempts.",
                hint: FailureCatalogue.definition(of: .authTooManyAttempts).remedy)
        }
    }
}
