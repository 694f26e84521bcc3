/// What one line of a client's output stands for.
struct TranscriptReading: Sendable {
    /// How much a line tells. The most telling line is the verdict; among equals the last.
    enum Rank: Int, Sendable, Comparable {
        /// What a program says of another's failure, without the reason: any words of that one tell more.
        case wrapper
        /// It follows from something that an earlier line tells: `Connection closed by …`.
        case consequence
        /// How the connection ended, where nothing says why.
        case ending
        /// A failure, without its reason: `Host key verification failed.`
        case plain
        /// The reason itself.
        case telling
        /// The reason, whatever else was wrong: the server had accepted the key that could not be signed with.
        case decisive

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    var rank: Rank
    /// What it is as evidence; host, port and user are filled in from the whole transcript.
    var evidence: SSHEvidence
    /// How sure the words make it at most.
    var confidence: SSHError.Confidence
    /// Whether even debug messages leave it no more than likely.
    var isUnproved = false
    /// What else the same words are said for.
    var alternatives: [String]
    /// Whose words have to stand near, where the line itself is any network program's.
    var needs: SpeakerFamily?
    /// Verdict and words, where the client does not print what the rules would need.
    var verdict: (@Sendable (SSHEvidence) -> (SSHError.Code, Words))?

    init(
        _ rank: Rank, _ event: SSHEvidence.Event, at stage: SSHStage, _ confidence: SSHError.Confidence = .exact,
        alternatives: [String] = [], _ change: (inout SSHEvidence) -> Void = { _ in }
    ) {
        self.rank = rank
        self.confidence = confidence
        self.alternatives = alternatives
        evidence = SSHEvidence(event: event, stage: stage)
        change(&evidence)
    }

    /// A reading whose code the words give directly.
    static func direct(
        _ rank: Rank, _ code: SSHError.Code, _ confidence: SSHError.Confidence = .exact, alternatives: [String] = [],
        say words: @escaping @Sendable (SSHEvidence) -> Words
    ) -> Self {
        var reading = Self(rank, .credentialsExhausted, at: code.stage, confidence, alternatives: alternatives)
        reading.verdict = { (code, words($0)) }
        return reading
    }

    /// A failure of which the words tell no more than its code.
    static func known(
        _ code: SSHError.Code, _ confidence: SSHError.Confidence = .likely, _ rank: Rank = .telling,
        or alternatives: [String] = []
    ) -> Self {
        .direct(rank, code, confidence, alternatives: alternatives) {
            let definition = FailureCatalogue.definition(of: code)
            return Words(
                $0.host.isEmpty ? definition.meaning : "\($0.endpoint): \(definition.meaning)", hint: definition.remedy)
        }
    }

    /// A host that could not be reached, where the words do not say why.
    static func notReached(
        _ confidence: SSHError.Confidence = .guess, _ rank: Rank = .wrapper, or alternatives: [String] = []
    ) -> Self {
        .direct(rank, .connectFailed, confidence, alternatives: alternatives) {
            Words(
                "\($0.endpoint) was not reached, or did not let the client in: the client's words do not say which.",
                hint: "Run ssh -v to the host, and give its words.")
        }
    }

    /// The same reading, if words of the family stand near.
    func near(_ family: SpeakerFamily) -> Self {
        var reading = self
        reading.needs = family
        return reading
    }

    /// The same reading at another rank.
    func ranked(_ rank: Rank) -> Self {
        var reading = self
        reading.rank = rank
        return reading
    }

    /// A failed call of libssh2, or another library's failure of the same kind.
    static func call(_ rank: Rank, _ name: String, at stage: SSHStage, _ confidence: SSHError.Confidence, _ message: String)
        -> Self
    {
        Self(rank, .libraryFailed, at: stage, confidence) {
            $0.library = SSHLibraryCall(function: "", code: 0, name: name, message: message)
        }
    }

    static func ended(
        _ rank: Rank, _ end: SSHStreamEnd, at stage: SSHStage, _ confidence: SSHError.Confidence, alternatives: [String] = []
    ) -> Self {
        Self(rank, .streamEnded, at: stage, confidence, alternatives: alternatives) {
            $0.stream = end
            // Only ssh -v tells the first byte of it from the rest.
            $0.keyExchangeBegun = stage == .keyExchange
        }
    }

    /// Whether the account's password has expired, which a server says only after authentication.
    var asksForPassword: Bool { evidence.authentication?.passwordChangeRequested == true }

    /// Whether this is the verdict where the other was it so far.
    func outranks(_ other: Self) -> Bool {
        // A server that stopped answering is why the connection was given up.
        if case .keepaliveUnanswered = other.evidence.event, evidence.stage == .session { return false }
        return rank >= other.rank
    }
}
