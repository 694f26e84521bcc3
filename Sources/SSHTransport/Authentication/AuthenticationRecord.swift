/// The history of one session's authentication (RFC 4252): the offered credentials and the server's answers. Pure.
///
/// An attempt is recorded before it is made, so that the record has it even if the connection breaks. It has one outcome. The
/// server's last refusal belongs to the attempt under way.
struct AuthenticationRecord {
    private(set) var evidence = SSHAuthenticationEvidence()
    private var refusal: (methods: [String], partialSuccess: Bool)?

    /// The most characters that are kept of the server's banners.
    private static let maximumBannerLength = 4096

    /// Whether the server owes an answer to an attempt.
    var awaitsAnswer: Bool { evidence.attempts.last?.outcome == .unanswered }

    // MARK: The server's messages

    /// SSH_MSG_USERAUTH_BANNER (RFC 4252 section 5.4).
    mutating func banner(_ text: String) {
        evidence.banner = String(((evidence.banner ?? "") + text).prefix(Self.maximumBannerLength))
        guard awaitsAnswer else { return }
        evidence.bannerAfterAttempt = String(((evidence.bannerAfterAttempt ?? "") + text).prefix(Self.maximumBannerLength))
    }

    /// SSH_MSG_USERAUTH_FAILURE.
    mutating func refused(methods: [String], partialSuccess: Bool) { refusal = (methods, partialSuccess) }

    /// The server's refusal of the current credential, if there is one.
    var answer: AuthenticationAnswer? {
        refusal.map { .failure(methods: $0.methods, partialSuccess: $0.partialSuccess) }
    }

    // MARK: Attempts

    /// A credential is about to be offered. An earlier refusal does not answer it.
    mutating func offer() { refusal = nil }

    mutating func hold(methods: [String]?, keyProblems: [SSHKeyProblem], agentProblem: SSHAgentProblem?) {
        if let methods { evidence.methodsHeld = methods }
        evidence.keyProblems += keyProblems
        evidence.agentProblem = agentProblem ?? evidence.agentProblem
    }

    mutating func serverOffers(_ methods: [String]) { evidence.methodsOffered = methods }

    /// Records an attempt that is about to be made.
    ///
    /// - Returns: its number.
    mutating func begin(_ attempt: SSHAuthenticationAttempt) -> Int {
        evidence.attempts.append(attempt)
        evidence.bannerAfterAttempt = nil
        return evidence.attempts.count - 1
    }

    /// Records the answer to an attempt.
    ///
    /// - Parameters:
    ///   - said: the server's questions in it.
    ///   - wasAsked: whether there was a question.
    mutating func finish(
        _ number: Int, _ answer: AuthenticationAnswer, keyAccepted: Bool, algorithm: String?, said: [String], wasAsked: Bool
    ) {
        evidence.attempts[number].keyAccepted = keyAccepted
        evidence.attempts[number].signatureAlgorithm = algorithm
        if !said.isEmpty { evidence.prompts = said }
        switch answer {
        case .success:
            evidence.attempts[number].outcome = .accepted
        case .failure(let methods, let partialSuccess):
            // Without a question a keyboard-interactive attempt offered no credential, so none was refused.
            evidence.attempts[number].outcome = partialSuccess ? .partial : wasAsked ? .refused : .unusable
            evidence.partialSuccess = evidence.partialSuccess || partialSuccess
            evidence.methodsRemaining = methods ?? evidence.methodsRemaining
        case .passwordChangeRequired:
            evidence.attempts[number].outcome = .refused
            evidence.passwordChangeRequested = true
        case .noSignature:
            evidence.attempts[number].outcome = .unusable
        }
    }

    // MARK: Evidence

    /// Adds the record to the evidence, unless it is empty.
    func describe(_ evidence: inout SSHEvidence, debugMessages: [String]) {
        guard self.evidence != SSHAuthenticationEvidence() || !debugMessages.isEmpty else { return }
        var authentication = self.evidence
        authentication.debugMessages = debugMessages
        evidence.authentication = authentication
    }
}

/// The server's answer to a credential.
package enum AuthenticationAnswer: Sendable, Hashable {
    /// Authenticated.
    case success
    /// Refused, or partial success; with the methods that can continue, if the server's message was seen.
    case failure(methods: [String]?, partialSuccess: Bool)
    /// The password must be changed first (RFC 4252 section 8).
    case passwordChangeRequired
    /// No answer: the signature could not be made.
    case noSignature
}
