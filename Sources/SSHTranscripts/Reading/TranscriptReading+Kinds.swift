/// The readings that several clients' messages come to.
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

    /// A credential was accepted and more was asked for.
    static func moreFactors(_ remaining: [String], _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        Self(.telling, .credentialsExhausted, at: .authentication, confidence, alternatives: alternatives) {
            var login = SSHAuthenticationEvidence()
            login.methodsRemaining = remaining
            login.partialSuccess = true
            login.attempts = [SSHAuthenticationAttempt(method: "publickey", credential: "that was offered", outcome: .partial)]
            $0.authentication = login
        }
    }

    /// What the server takes and what was there to offer have nothing in common.
    static func methodNotOffered(_ offered: [String], held: String, _ confidence: SSHError.Confidence) -> Self {
        Self(.telling, .credentialsExhausted, at: .authentication, confidence) {
            var login = SSHAuthenticationEvidence()
            login.methodsOffered = offered
            login.methodsHeld = [held]
            $0.authentication = login
        }
    }

    /// A signal ended the client itself, at an unknown stage.
    static func interrupted(by signal: Int, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        let name = SSHExitSignal.name(ofNumber: signal)
        return Self(.plain, .cancelled(signal: name), at: .local, confidence, alternatives: alternatives) {
            $0.command = .maybeSent
        }
    }

    static func noCredentials(_ confidence: SSHError.Confidence) -> Self {
        Self(.telling, .credentialsExhausted, at: .authentication, confidence) { $0.authentication = SSHAuthenticationEvidence() }
    }

    static func tooManyAttempts(_ confidence: SSHError.Confidence = .exact, alternatives: [String] = []) -> Self {
        Self(.telling, .streamEnded, at: .authentication, confidence, alternatives: alternatives) {
            $0.stream = .closed
            $0.disconnect = SSHDisconnectMessage(reason: 2, description: "Too many authentication failures")
        }
    }

    /// The server's message about an account that may not log in.
    static func accountDenied(_ words: String) -> Self {
        if AccountTexts.speaks(AccountTexts.closed, in: [words]) {
            return .direct(.telling, .authLoginsClosed, .likely) {
                Words(
                    "\($0.endpoint) lets nobody in at present: \"\(words.oneLine())\"", hint: "Try again later.",
                    alternatives: ["the account alone is shut out"])
            }
        }
        return .direct(.telling, .authAccountDenied, .likely) {
            Words(
                "\($0.endpoint) refuses the account: \"\(words.oneLine())\"",
                hint: "Ask the server's administrator.")
        }
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

    /// A name that the resolver has nothing for, in its own words.
    static func unresolved(_ reason: String, _ confidence: SSHError.Confidence = .exact) -> Self {
        let kind = ReasonWords.resolverFailure(reason)
        return Self(.telling, .resolutionFailed(code: 0, name: kind, message: reason), at: .resolve, confidence)
    }

    /// An address that could not be connected to.
    static func unconnected(_ number: Int32?, _ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        // A peer that resets while connecting is one that is there.
        if number == ReasonWords.systemError("reset by peer") {
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

    /// The connection ended, and the words do not say how far it had come.
    static func cut(_ end: SSHStreamEnd = .closed, at stage: SSHStage = .banner, _ rank: Rank = .telling) -> Self {
        .ended(
            rank, end, at: stage, .guess,
            alternatives: Otherwise.closedEarly + ["it was closed in key exchange, in the login, or after it"])
    }

    /// The connection ended while a command ran.
    static func lost(_ end: SSHStreamEnd, _ confidence: SSHError.Confidence = .likely) -> Self {
        Self(.telling, .streamEnded, at: .session, confidence) {
            $0.stream = end
            $0.command = .maybeSent
        }
    }

    /// The same reading, of a connection on which a command may have run.
    var maybeRunning: Self {
        var reading = self
        reading.evidence.command = .maybeSent
        return reading
    }

    /// The server stopped answering keepalives. Clients send them after the login only, and do not say how many.
    static func silent() -> Self {
        Self(.telling, .keepaliveUnanswered(count: 0), at: .session) { $0.command = .maybeSent }
    }

    /// The status or signal that ended the remote command, as a client that is no ssh tells it.
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
        Self(.telling, .channelRefused(reason: reason, description: text), at: .channel, confidence)
    }

    /// The client and the server have no algorithm of a kind in common.
    static func noCommon(_ code: SSHError.Code, _ kind: String, _ confidence: SSHError.Confidence = .exact) -> Self {
        .direct(.telling, code, confidence) {
            Words("\($0.endpoint) and the client share no \(kind.oneLine(60)).", hint: "Update the older of the two.")
        }
    }

    /// What the words of most libraries call it, for the code.
    static func algorithmCode(_ kind: String) -> SSHError.Code {
        let lower = kind.lowercased()
        if lower.contains("host key") || lower.contains("hostkey") || lower == "key" { return .kexNoCommonHostKeyAlgorithm }
        if lower.contains("cipher") || lower.contains("encryption") || lower.contains("crypt") { return .kexNoCommonCipher }
        if lower.contains("mac") { return .kexNoCommonMAC }
        return lower.contains("comp") ? .kexNoCommonCompression : .kexNoCommonKex
    }

    static func hostKeyUnknown(_ confidence: SSHError.Confidence, alternatives: [String] = []) -> Self {
        .direct(.telling, .hostKeyUnknown, confidence, alternatives: alternatives) {
            Words(
                "The host key of \($0.endpoint) is not known.",
                hint: "Compare the fingerprint with the server's own, then add it to known_hosts.")
        }
    }

    static func hostKeyChanged() -> Self {
        .direct(.telling, .hostKeyChanged) {
            Words(
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
            Words(
                "\($0.endpoint) and the client share no signature algorithm for the key, most likely an RSA key and SHA-1.",
                hint: "Use an Ed25519 key (ssh-keygen -t ed25519), or update the older of the two.")
        }
    }
}

/// What else the same words of a library are said for.
enum Otherwise {
    static let closedEarly = [
        "it refuses connections: too many are open, or this address is blocked", "it does not speak SSH",
    ]
    static let login = [
        "the password was refused", "there was no key, agent or password that the server accepts",
        "it asks for another factor", "too many keys were tried",
    ]
}

extension SSHCommandEvidence {
    /// A command that may have run: the client's words do not say how far it had come.
    static var maybeSent: Self {
        var command = Self(command: "")
        command.progress = .sent
        return command
    }
}
