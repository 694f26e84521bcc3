internal import NIOCore

extension Session {
    /// Asks with method `none` for the methods that can continue (RFC 4252 section 5.2).
    ///
    /// Ask only once: OpenSSH counts every further request as a failed attempt.
    ///
    /// - Returns: nil when the server accepts the user without any credential.
    package func authenticationMethods(user: String) async throws(Fault) -> [String]? {
        let library = library
        var methods: [String]?
        _ = try await perform(exclusive: true, nextStage: whenAuthenticated) {
            library.authenticationMethods(user: user) { methods = $0 }
        }
        return methods
    }

    /// Offers a password (RFC 4252 section 8).
    package func authenticate(user: String, password: SSHSecret) async throws(Fault) -> AuthenticationAnswer {
        let library = library
        authenticationRecord.offer()
        do {
            _ = try await perform(exclusive: true, nextStage: whenAuthenticated) {
                library.authenticate(user: user, password: password)
            }
            return .success
        } catch {
            return try answer(in: error)
        }
    }

    /// Offers a public key, and signs with it when the server would accept it (RFC 4252 section 7).
    ///
    /// - Parameters:
    ///   - mayWait: whether signing may wait for something outside this process: an agent, a person.
    ///   - sign: makes the signature blob's second string from the data to be signed; throws to give up.
    /// - Returns: the answer, whether the server said that it would accept the key, and the algorithm of the signature.
    package func authenticate(
        user: String, offer: PublicKeyOffer, mayWait: Bool,
        sign: @escaping @Sendable (_ data: [UInt8], _ algorithm: String) async throws -> [UInt8]
    ) async throws(Fault) -> (answer: AuthenticationAnswer, keyAccepted: Bool, algorithm: String?) {
        authenticationRecord.offer()
        let attempt = PublicKeyAttempt(library, user: user, blob: offer.blob)
        var algorithm = offer.algorithm
        do {
            while try await perform(exclusive: true, nextStage: whenAuthenticated, { attempt.call() })
                == PublicKeyAttempt.awaitsSignature
            {
                // libssh2 keeps the request in the meantime; no other call of the session is made before it is repeated.
                guard let data = attempt.dataToSign else { continue }
                let name = algorithm ?? PublicKeyOffer.algorithm(in: data) ?? "ssh-rsa"
                algorithm = name
                do {
                    attempt.answer(with: try await mayWait ? whileOpen { try await sign(data, name) } : sign(data, name))
                } catch {
                    attempt.refuse()
                }
            }
            return (.success, true, algorithm)
        } catch {
            if attempt.isRefused, !isDead, error.event == .libraryFailed {
                return (.noSignature, attempt.keyWasAccepted, algorithm)
            }
            return (try answer(in: error), attempt.keyWasAccepted, algorithm)
        }
    }

    /// Runs work that the server waits for, and cancels it when the connection ends: an agent may never answer.
    private func whileOpen<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        transport.closeFuture.whenComplete { _ in task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Answers a server's questions (RFC 4256).
    ///
    /// - Parameters:
    ///   - prompter: answers a round of prompts, on a thread that may wait.
    ///   - interrupt: makes `prompter` return soon. It is called when the session or its stream ends.
    package func authenticate(
        user: String, prompter: @escaping KeyboardInteractivePrompter, on runner: BlockingCalls,
        interrupt: @escaping @Sendable () -> Void
    ) async throws(Fault) -> AuthenticationAnswer {
        let loan = library.loan(user: user)
        authenticationRecord.offer()
        library.beginQuestions(prompter)
        defer { library.endQuestions() }
        do throws(Fault) {
            while true {
                switch try await lend({ loan.keyboardInteractive() }, to: runner, interrupt: interrupt) {
                case .success:
                    enter(.channel)
                    return .success
                case .again: try await arrival()
                case .failure(let failure): throw noteFailure(.failure(failure))
                }
            }
        } catch {
            return try answer(in: error)
        }
    }

    /// The user is authenticated as soon as the server has said so, not when the waiting task resumes.
    private func whenAuthenticated() -> SSHStage? { library.isAuthenticated ? .channel : nil }

    /// Reads the server's answer from the messages that libssh2 discarded. libssh2's own codes confuse refusals, partial
    /// success, lost connections and failed signatures.
    private func answer(in fault: Fault) throws(Fault) -> AuthenticationAnswer {
        guard self.fault == nil, fault.event == .libraryFailed, let call = fault.library else { throw fault }
        if call.name == "PASSWORD_EXPIRED" { return .passwordChangeRequired }
        if let answer = authenticationRecord.answer { return answer }
        guard call.name == "AUTHENTICATION_FAILED" else { throw fault }
        // The server has not refused the credential. libssh2 could not read its answer, and does not report why.
        let unreadable = Fault(wire.hasEnded ? .streamEnded : .protocolViolated(.malformedPacket), stage: stage)
        fail(unreadable)
        throw unreadable
    }

    // MARK: The record

    /// Takes the banners that have come so far, also those that libssh2 has not handed out.
    package func collectBanners() {
        guard !isDead else { return }
        library.noteHeldBanners()
        collectObserved()
    }

    /// The evidence of authentication so far.
    package var authentication: SSHAuthenticationEvidence { authenticationRecord.evidence }

    package func noteCredentials(
        methodsHeld: [String]? = nil, keyProblems: [SSHKeyProblem] = [], agentProblem: SSHAgentProblem? = nil
    ) {
        authenticationRecord.hold(methods: methodsHeld, keyProblems: keyProblems, agentProblem: agentProblem)
    }

    package func noteOffered(_ methods: [String]) { authenticationRecord.serverOffers(methods) }

    /// Records an attempt before it is made. So the evidence shows it even if the connection breaks during the attempt.
    package func begin(_ attempt: SSHAuthenticationAttempt) -> Int {
        observations.sign()
        return authenticationRecord.begin(attempt)
    }

    package func finish(
        _ number: Int, _ answer: AuthenticationAnswer, keyAccepted: Bool = false, algorithm: String? = nil,
        said: [String] = [], wasAsked: Bool = true
    ) {
        authenticationRecord.finish(
            number, answer, keyAccepted: keyAccepted, algorithm: algorithm, said: said, wasAsked: wasAsked)
    }

    /// The user is authenticated: keepalives start here.
    package func authenticated(keepalive: SSHKeepaliveOptions?) {
        if stage != .channel { enter(.channel) }
        if let keepalive { startKeepalive(interval: keepalive.interval.boundedSeconds, limit: keepalive.countMax) }
    }
}
