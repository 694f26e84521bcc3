/// The meaning of one line of a client's output.
struct TranscriptReading: Sendable {
    /// The rank of a line, by how specific it is. The line of the highest rank makes the verdict; among equals, the
    /// last one.
    enum Rank: Int, Sendable, Comparable {
        /// A program's message about another's failure, without the reason. The other program's message is more specific.
        case wrapper
        /// A consequence of the cause in an earlier line: `Connection closed by …`.
        case consequence
        /// The end of the connection, without a reason.
        case ending
        /// A failure, without its reason: `Host key verification failed.`
        case plain
        /// The reason of the failure.
        case telling
        /// The reason that overrides all others: the server accepted a key, but signing with it failed.
        case decisive

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    var rank: Rank
    /// The line as evidence. Host, port and user are filled in from the whole transcript.
    var evidence: SSHEvidence
    /// The highest confidence that the text allows.
    var confidence: SSHError.Confidence
    /// Whether it stays at most `likely`, even with debug messages.
    var isUnproved = false
    /// Whether it says no more than that the host was not reached, or that the connection ended. It never replaces another of its
    /// rank.
    var saysLittle = false
    /// Whether it is the stack's frame of a call that connects and logs in.
    var isConnecting = false
    /// Other possible causes of the same message.
    var alternatives: [String]
    /// The library family that must be named nearby, if any network program could have written the line.
    var needs: LibraryFamily?
    /// The code and message, if the client does not print the facts that the rules need.
    var verdict: (@Sendable (SSHEvidence) -> (SSHError.Code, VerdictText))?

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

    /// A reading whose code follows directly from the message.
    static func direct(
        _ rank: Rank, _ code: SSHError.Code, _ confidence: SSHError.Confidence = .exact, alternatives: [String] = [],
        say words: @escaping @Sendable (SSHEvidence) -> VerdictText
    ) -> Self {
        var reading = Self(rank, .credentialsExhausted, at: code.stage, confidence, alternatives: alternatives)
        reading.verdict = { (code, words($0)) }
        return reading
    }

    /// A failure whose message gives only its code.
    static func known(
        _ code: SSHError.Code, _ confidence: SSHError.Confidence = .likely, _ rank: Rank = .telling,
        or alternatives: [String] = []
    ) -> Self {
        .direct(rank, code, confidence, alternatives: alternatives) {
            let definition = FailureCatalogue.definition(of: code)
            return VerdictText(
                $0.host.isEmpty ? definition.meaning : "\($0.endpoint): \(definition.meaning)", hint: definition.remedy)
        }
    }

    /// A host that could not be reached, for an unknown reason.
    static func notReached(
        _ confidence: SSHError.Confidence = .guess, _ rank: Rank = .wrapper, or alternatives: [String] = []
    ) -> Self {
        var reading = Self.direct(rank, .connectFailed, confidence, alternatives: alternatives) {
            VerdictText(
                "\($0.endpoint) was not reached, or did not accept the login: the client's messages do not say which.",
                hint: "Run \(run: "ssh -v", .placeholders, isQuoted: false) to the host, and classify its output.")
        }
        reading.saysLittle = true
        return reading
    }

    /// The same reading, which never replaces another of its rank.
    var sayingLittle: Self {
        var reading = self
        reading.saysLittle = true
        return reading
    }

    /// The same reading, if the family is named nearby.
    func near(_ family: LibraryFamily) -> Self {
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

    /// A program that is not there, so that no connection was tried. It is a guess that SSH is what failed.
    static func missingProgram(_ name: String) -> Self {
        .direct(.telling, .localUsage, .guess, alternatives: ["it is the server that lacks the program"]) { _ in
            VerdictText(
                "The program \(name.oneLine(80)) is not there, or not in the PATH.", hint: "Install it, or name its path.")
        }
    }

    /// A failed call of libssh2, or another library's failure of the same kind.
    static func call(_ rank: Rank, _ name: String, at stage: SSHStage, _ confidence: SSHError.Confidence, _ message: String)
        -> Self
    {
        Self(rank, .libraryFailed, at: stage, confidence) {
            $0.library = SSHLibraryCall(function: "", code: 0, name: name, message: message)
            if stage == .session { $0.command = .possiblySent }
        }
    }

    /// A packet that breaks the protocol, without details.
    static func protocolBroken(at stage: SSHStage) -> Self { .call(.telling, "PROTO", at: stage, .guess, "") }

    static func ended(
        _ rank: Rank, _ end: SSHStreamEnd, at stage: SSHStage, _ confidence: SSHError.Confidence, alternatives: [String] = []
    ) -> Self {
        Self(rank, .streamEnded, at: stage, confidence, alternatives: alternatives) {
            $0.stream = end
            // Only ssh -v shows whether key exchange had really begun.
            $0.keyExchangeBegun = stage == .keyExchange
        }
    }

    /// Whether the account's password has expired. A server reports that only after authentication.
    var asksForPassword: Bool { evidence.authentication?.passwordChangeRequested == true }

    /// Whether this reading replaces the other one as the verdict.
    func outranks(_ other: Self) -> Bool {
        // The connection ended because the server stopped answering, so that remains the reason.
        if case .keepaliveUnanswered = other.evidence.event, evidence.stage == .session { return false }
        return saysLittle && !other.saysLittle ? rank > other.rank : rank >= other.rank
    }
}

/// Readings that are common to several clients.
extension TranscriptReading {
    /// A signal ended the client itself, at an unknown stage.
    static func interrupted(by signal: Int, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        let name = SSHExitSignal.name(ofNumber: signal)
        return Self(.plain, .cancelled(signal: name), at: .local, confidence, alternatives: alternatives) {
            $0.command = .possiblySent
        }
    }

    /// The server's message about an account that may not log in.
    static func accountDenied(_ words: String) -> Self {
        if AccountTexts.speaks(AccountTexts.closed, in: [words]) {
            return .direct(.telling, .authLoginsClosed, .likely) {
                VerdictText(
                    "\($0.endpoint) accepts no logins at the moment: \"\(words.oneLine())\"", hint: "Try again later.",
                    alternatives: ["only this account is locked out"])
            }
        }
        return .direct(.telling, .authAccountDenied, .likely) {
            VerdictText(
                "\($0.endpoint) refuses the account: \"\(words.oneLine())\"",
                hint: "Ask the server's administrator.")
        }
    }

    /// The server took the first answer, and asked a second question, whose text is not known.
    static func askedFurther() -> Self {
        var reading = direct(.telling, .authInteractionRequired, .likely) {
            VerdictText(
                "\($0.endpoint) took the password, and asked another question, which was not answered.",
                hint: "Log in once in a terminal to see the question: a one-time code, or a new password.",
                alternatives: ["the password has expired, and a new one is asked for", "a one-time code is asked for"])
        }
        reading.isUnproved = true
        return reading
    }

    static func passwordExpired() -> Self {
        Self(.telling, .credentialsExhausted, at: .authentication, .likely) {
            var login = SSHAuthenticationEvidence()
            login.passwordChangeRequested = true
            $0.authentication = login
        }
    }

    static func key(
        _ reason: SSHKeyProblem.Reason, _ path: String? = nil, _ detail: String = "", _ confidence: SSHError.Confidence = .likely,
        alternatives: [String] = []
    ) -> Self {
        Self(
            .telling, .keyUnusable(SSHKeyProblem(reason: reason, path: path ?? "", detail: detail)), at: .key, confidence,
            alternatives: alternatives)
    }

    static func agent(_ reason: SSHAgentProblem.Reason, _ detail: String) -> Self {
        Self(.telling, .agentFailed(SSHAgentProblem(reason: reason, detail: detail)), at: .authentication, .likely)
    }

    /// A name that could not be resolved, with the resolver's message.
    static func unresolved(_ reason: String, _ confidence: SSHError.Confidence = .exact) -> Self {
        let kind = SystemErrorTexts.resolverFailure(reason)
        // A text in an unknown language: most names that are not resolved do not exist.
        if kind == .other, ForeignText.isForeign(reason) {
            return .known(.resolveHostNotFound, .guess, or: ["the name servers did not answer"])
        }
        return Self(.telling, .resolutionFailed(code: 0, name: kind, message: reason), at: .resolve, confidence)
    }

    /// An address that could not be connected to.
    static func unconnected(_ number: Int32?, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        // A peer that resets the connection exists.
        if number == SystemErrorTexts.systemError("reset by peer") {
            return .ended(.telling, .reset, at: .banner, confidence, alternatives: alternatives)
        }
        return Self(.telling, .connectionFailed, at: .connect, confidence, alternatives: alternatives) {
            $0.addresses = [SSHAddressFailure(address: "", systemError: number)]
        }
    }

    static func timedOut(_ stage: SSHStage, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        Self(
            .telling, .deadlinePassed(SSHDeadline(kind: .connect, seconds: 0)), at: stage, confidence, alternatives: alternatives)
    }

    /// The connection ended at an unknown stage.
    static func cut(_ end: SSHStreamEnd = .closed, at stage: SSHStage = .banner, _ rank: Rank = .telling) -> Self {
        .ended(
            rank, end, at: stage, .guess,
            alternatives: SharedAlternatives.closedEarly + ["it was closed in key exchange, in the login, or after it"])
    }

    /// The connection ended while a command ran.
    static func lost(_ end: SSHStreamEnd, _ confidence: SSHError.Confidence = .likely) -> Self {
        Self(.telling, .streamEnded, at: .session, confidence) {
            $0.stream = end
            $0.command = .possiblySent
        }
    }

    /// The same reading, for a connection on which a command may have run.
    var possiblyRunning: Self {
        var reading = self
        reading.evidence.command = .possiblySent
        return reading
    }

    /// The connection of a program that runs ssh ended, and the program gives no reason.
    static func lostByWrapper() -> Self {
        var reading = lost(.closed, .guess).ranked(.wrapper)
        reading.alternatives = ["it was closed before the login", "the program did not start on the server"]
        return reading
    }

    /// The server stopped answering keepalives. Clients send them only after the login, and do not report their number.
    static func silent() -> Self {
        Self(.telling, .keepaliveUnanswered(count: 0), at: .session) { $0.command = .possiblySent }
    }

    /// The status or signal of the remote command, reported by another client than ssh.
    static func commandEnded(status: Int? = nil, signal: String? = nil, saying text: String = "") -> Self {
        Self(.telling, .commandEnded, at: .command, .likely) {
            var command = SSHCommandEvidence(command: "")
            command.progress = .accepted
            command.exitStatus = status
            command.exitSignal = signal.map { SSHExitSignal(name: $0) }
            command.endOfOutput = true
            command.channelClosed = true
            command.standardErrorTail = text
            $0.command = command
        }
    }

    static func commandTimedOut(_ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        Self(
            .telling, .deadlinePassed(SSHDeadline(kind: .command, seconds: 0)), at: .command, confidence,
            alternatives: alternatives
        ) {
            var command = SSHCommandEvidence(command: "")
            command.progress = .accepted
            $0.command = command
        }
    }

    /// A request within a channel was refused.
    static func request(
        _ request: SSHEvidence.ChannelRequest, _ confidence: SSHError.Confidence, or alternatives: [String] = []
    ) -> Self {
        Self(.telling, .requestRefused(request), at: .channel, confidence, alternatives: alternatives)
    }

    static func channelRefused(_ reason: UInt32?, _ text: String, _ confidence: SSHError.Confidence) -> Self {
        // A session has no peer behind the server. These messages are about a forwarding.
        let network = ["Connection refused", "Connection timed out", "No route to host", "nreachable", "not resolve"]
        if network.contains(where: { text.mentions($0) }) { return .known(.channelJumpTargetUnreachable, confidence) }
        return Self(.telling, .channelRefused(reason: reason, description: text), at: .channel, confidence)
    }

    /// The client and the server have no algorithm of a kind in common.
    static func noCommon(_ code: SSHError.Code, _ kind: String, _ confidence: SSHError.Confidence = .exact) -> Self {
        .direct(.telling, code, confidence) {
            VerdictText("\($0.server) and the client share no \(kind.oneLine(60)).", hint: "Update the older of the two.")
        }
    }

    /// The code for a kind of algorithm, by the name that most libraries use.
    static func algorithmCode(_ kind: String) -> SSHError.Code {
        let lower = kind.lowercased()
        if lower.contains("host key") || lower.contains("hostkey") || lower == "key" { return .kexNoCommonHostKeyAlgorithm }
        if lower.contains("cipher") || lower.contains("encryption") || lower.contains("crypt") { return .kexNoCommonCipher }
        if lower.contains("mac") || lower.contains("message authentication") { return .kexNoCommonMAC }
        return lower.contains("comp") ? .kexNoCommonCompression : .kexNoCommonKex
    }

    static func hostKeyUnknown(_ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        .direct(.telling, .hostKeyUnknown, confidence, alternatives: alternatives) {
            VerdictText(
                "The host key of \($0.endpoint) is not known.",
                hint: "Compare the fingerprint with the server's own, then add it to known_hosts.")
        }
    }

    static func hostKeyChanged() -> Self {
        .direct(.telling, .hostKeyChanged) {
            VerdictText(
                "The host key of \($0.endpoint) is not the known one.",
                hint: "Another machine may be answering in its place: ask its administrator for the fingerprint.",
                alternatives: ["the server was reinstalled", "another machine answers in the server's place"])
        }
    }
}

extension TranscriptReading {
    static func sha1() -> Self {
        .direct(
            .telling, .authRSASHA1Rejected, .likely, alternatives: ["the key's type is disabled on one of the two sides"]
        ) {
            VerdictText(
                "\($0.endpoint) and the client share no signature algorithm for the key, most likely an RSA key and SHA-1.",
                hint: "Use an Ed25519 key (\(run: "ssh-keygen -t ed25519", isQuoted: false)), or update the older of the two.")
        }
    }
}

extension SSHCommandEvidence {
    /// A command that may have run. The client does not report its progress.
    static var possiblySent: Self {
        var command = Self(command: "")
        command.progress = .sent
        return command
    }
}
