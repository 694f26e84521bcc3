internal import CLibSSH2
internal import NIOCore

/// What the server made of a credential.
package enum AuthenticationAnswer: Sendable, Hashable {
    /// Authenticated.
    case success
    /// Refused, or partial success; with the methods that can continue, where the server's message was seen.
    case failure(methods: [String]?, partialSuccess: Bool)
    /// The password must be changed first (RFC 4252 section 8).
    case passwordChangeRequired
    /// No answer: we could not make the signature.
    case noSignature
}

extension Session {
    /// Asks with method `none` for the methods that can continue (RFC 4252 section 5.2).
    ///
    /// Asked once: OpenSSH counts every further one as a failed attempt.
    ///
    /// - Returns: nil when the server lets the user in without any credential.
    package func authenticationMethods(user: String) async throws(Fault) -> [String]? {
        let raw = raw
        var methods: [String]?
        _ = try await perform("libssh2_userauth_list", exclusive: true, nextStage: whenAuthenticated) {
            guard let list = libssh2_userauth_list(raw, user, UInt32(user.utf8.count)) else {
                return libssh2_userauth_authenticated(raw) == 1 ? 0 : Int(libssh2_session_last_errno(raw))
            }
            methods = String(cString: list).split(separator: ",").map(String.init)
            return 0
        }
        return methods
    }

    /// Offers a password (RFC 4252 section 8).
    package func authenticate(user: String, password: Secret) async throws(Fault) -> AuthenticationAnswer {
        let raw = raw
        lastAuthenticationFailure = nil
        do {
            _ = try await perform("libssh2_userauth_password_ex", exclusive: true, nextStage: whenAuthenticated) {
                password.withBytes { bytes in
                    Int(
                        libssh2_userauth_password_ex(
                            raw, user, UInt32(user.utf8.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                            UInt32(bytes.count), Self.noNewPassword))
                }
            }
            return .success
        } catch {
            return try answer(in: error)
        }
    }

    /// Has no new password to give. Without a callback libssh2 1.10 takes the request for one for a refusal.
    private static let noNewPassword:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UnsafeMutablePointer<Int32>?,
            UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        ) -> Void = { _, _, _, _ in }

    /// Offers a public key, and signs with it when the server would take it (RFC 4252 section 7).
    ///
    /// - Parameters:
    ///   - mayWait: whether signing may wait for something outside this process: an agent, a person.
    ///   - sign: makes the signature blob's second string from the data to be signed; throws to give up.
    /// - Returns: the answer, whether the server said that it would take the key, and the algorithm of the signature.
    package func authenticate(
        user: String, offer: PublicKeyOffer, mayWait: Bool,
        sign: @escaping @Sendable (_ data: [UInt8], _ algorithm: String) async throws -> [UInt8]
    ) async throws(Fault) -> (answer: AuthenticationAnswer, keyAccepted: Bool, algorithm: String?) {
        lastAuthenticationFailure = nil
        let attempt = PublicKeyAttempt(raw: raw, user: user, offer: offer)
        var algorithm = offer.algorithm
        do {
            let function: StaticString = "libssh2_userauth_publickey"
            while try await perform(function, exclusive: true, nextStage: whenAuthenticated, { attempt.call() }) != 0 {
                // libssh2 keeps the request meanwhile; no other call of the session is made before it is repeated.
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

    /// Does what the server waits for, and gives it up when the connection ends: an agent may take for ever.
    private func whileOpen<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        carrier.closeFuture.whenComplete { _ in task.cancel() }
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
        let loan = SessionLoan(raw: raw, user: user)
        lastAuthenticationFailure = nil
        wire.prompter = prompter
        library.asksQuestions = true
        defer {
            wire.prompter = nil
            library.asksQuestions = false
        }
        do throws(Fault) {
            while true {
                let result = try await lend({ loan.keyboardInteractive() }, to: runner, interrupt: interrupt)
                if result == 0 {
                    enter(.channel)
                    return .success
                }
                if result != Int(LIBSSH2_ERROR_EAGAIN) {
                    throw noteFailure(of: "libssh2_userauth_keyboard_interactive_ex", result)
                }
                try await arrival()
            }
        } catch {
            return try answer(in: error)
        }
    }

    /// The user is authenticated as soon as the server has said so, not when the waiting task resumes.
    private func whenAuthenticated() -> Stage? { libssh2_userauth_authenticated(raw) == 1 ? .channel : nil }

    /// Reads the server's answer from what libssh2 threw away, for its own codes confuse refusals, partial success, lost
    /// connections and signatures that could not be made.
    private func answer(in fault: Fault) throws(Fault) -> AuthenticationAnswer {
        guard self.fault == nil, fault.event == .libraryFailed, let call = fault.library else { throw fault }
        if call.name == "PASSWORD_EXPIRED" { return .passwordChangeRequired }
        if let failure = lastAuthenticationFailure {
            return .failure(methods: failure.methods, partialSuccess: failure.partialSuccess)
        }
        guard call.name == "AUTHENTICATION_FAILED" else { throw fault }
        // The server has refused nothing: its answer could not be read, of which libssh2 forgets the reason.
        let unreadable = Fault(wire.hasEnded ? .streamEnded : .protocolViolated(.malformedPacket), stage: stage)
        fail(unreadable)
        throw unreadable
    }
}
