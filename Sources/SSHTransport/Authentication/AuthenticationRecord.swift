/// What has happened in one session's authentication (RFC 4252): what was offered, and what the server said to it. Pure.
///
/// An attempt is recorded before it is made, so that a connection that breaks in it shows it; it has one outcome. The server's
/// last refusal belongs to the attempt under way.
struct AuthenticationRecord {
    private(set) var evidence = SSHAuthenticationEvidence()
    private var refusal: (methods: [String], partialSuccess: Bool)?

    /// What is kept of the server's banners, in characters.
    private static let longestBanner = 4096

    /// Whether the server owes an answer to an attempt.
    var awaitsAnswer: Bool { evidence.attempts.last?.outcome == .unanswered }

    // MARK: What the server says

    /// SSH_MSG_USERAUTH_BANNER (RFC 4252 section 5.4).
    mutating func banner(_ text: String) {
        evidence.banner = String(((evidence.banner ?? "") + text).prefix(Self.longestBanner))
        guard awaitsAnswer else { return }
        evidence.bannerAfterAttempt = String(((evidence.bannerAfterAttempt ?? "") + text).prefix(Self.longestBanner))
    }

    /// SSH_MSG_USERAUTH_FAILURE.
    mutating func refused(methods: [String], partialSuccess: Bool) { refusal = (methods, partialSuccess) }

    /// The server's refusal of the credential that is being offered, if there is one.
    var answer: AuthenticationAnswer? {
        refusal.map { .failure(methods: $0.methods, partialSuccess: $0.partialSuccess) }
    }

    // MARK: What is offered

    /// A credential is about to be offered: an earlier refusal is no answer to it.
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
            // A keyboard-interactive attempt without a question was offered nothing: no credential was refused.
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

    /// Adds what is known, if anything is.
    func describe(_ evidence: inout SSHEvidence, debugMessages: [String]) {
        guard self.evidence != SSHAuthenticationEvidence() || !debugMessages.isEmpty else { return }
        var authentication = self.evidence
        authentication.debugMessages = debugMessages
        evidence.authentication = authentication
    }
}
