internal import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Offers credentials in order until the server accepts one, or none is left (RFC 4252 section 5).
///
/// The order is that of ``SSHCredentials/methods``: by default public keys, the password, keyboard-interactive. Each credential
/// is offered once. A refused password is not offered again by another method.
///
/// It runs on the session's executor, because it mostly waits for the session.
struct Authenticator: Sendable {
    let endpoint: SSHEndpoint
    let credentials: SSHCredentials
    let publicKeys: PublicKeyCandidates
    let interaction: (any SSHInteraction)?
    let promptPause: PromptPause
    let timeline: Timeline

    private struct Progress {
        var methods: [String]
        var nextKey = 0
        var passwordTries = 0
        var interactiveTries = 0
        var passwordWasRefused = false
        /// Whether the password may be offered; nil before the permit was asked.
        var mayOfferPassword: Bool?
        /// Whether the password was sent to the server.
        var passwordWasSent = false
        var answersWereRefused = false
        /// Whether a person was asked for a password and gave none.
        var passwordWasDeclined = false
        /// Whether the server has refused a credential.
        var wasRefused = false
        var unanswerable: String?
        var hadPartialSuccess = false
    }

    func authenticate(on session: isolated Session) async throws {
        session.noteCredentials(
            methodsHeld: methodsHeld, keyProblems: publicKeys.keyProblems, agentProblem: publicKeys.agentProblem)
        var banner = ReportedBanner()
        // Report also what a server sends before it closes the connection.
        defer { banner.report(of: session, timeline) }
        guard let methods = try await session.authenticationMethods(user: endpoint.user) else {
            return timeline.authenticated(session.authentication)
        }
        session.noteOffered(methods)
        banner.report(of: session, timeline)
        if methodsHeld.isEmpty { throw nothingToOffer() }
        var progress = Progress(methods: methods)
        do {
            try await offerAll(&progress, on: session, &banner)
        } catch {
            await returnPermit(progress)
            throw error
        }
        await returnPermit(progress)
        timeline.authenticated(session.authentication)
    }

    /// Offers one credential after another until the server accepts.
    private func offerAll(
        _ progress: inout Progress, on session: isolated Session, _ banner: inout ReportedBanner
    ) async throws {
        while true {
            guard let answer = try await offerNext(&progress, on: session) else { throw exhausted(progress) }
            banner.report(of: session, timeline)
            switch answer {
            case .success: return
            case .failure(let methods, let partialSuccess):
                progress.methods = methods ?? progress.methods
                progress.hadPartialSuccess = progress.hadPartialSuccess || partialSuccess
            case .passwordChangeRequired: throw Fault(.credentialsExhausted, stage: .authentication)
            case .noSignature: break
            }
        }
    }

    /// The methods for which there is a credential.
    private var methodsHeld: [String] {
        var held: [String] = []
        if !publicKeys.candidates.isEmpty { held.append("publickey") }
        if credentials.password != nil || (interaction != nil && credentials.passwordPrompts > 0) {
            held += ["password", "keyboard-interactive"]
        }
        return held.filter { name in credentials.methods.contains { $0.rawValue == name } }
    }

    private func nothingToOffer() -> Fault {
        if let problem = publicKeys.explicitProblem { return Fault(.keyUnusable(problem), stage: .key) }
        if let problem = publicKeys.agentProblem { return Fault(.agentFailed(problem), stage: .authentication) }
        return Fault(.credentialsExhausted, stage: .authentication)
    }

    private func exhausted(_ progress: Progress) -> Fault {
        if let prompt = progress.unanswerable { return Fault(.promptUnanswerable(prompt: prompt), stage: .authentication) }
        if progress.passwordWasDeclined, !progress.wasRefused {
            return Fault(.promptUnanswerable(prompt: "password"), stage: .authentication)
        }
        return Fault(.credentialsExhausted, stage: .authentication)
    }

    /// - Returns: nil if nothing is left that the server would accept.
    private func offerNext(_ progress: inout Progress, on session: isolated Session) async throws -> AuthenticationAnswer? {
        for method in credentials.methods where progress.methods.contains(method.rawValue) {
            let answer: AuthenticationAnswer?
            switch method {
            case .publicKey: answer = try await offerNextKey(&progress, on: session)
            case .password: answer = try await offerPassword(&progress, on: session)
            case .keyboardInteractive: answer = try await answerPrompts(&progress, on: session)
            }
            if let answer { return answer }
        }
        return nil
    }

    private func offerNextKey(_ progress: inout Progress, on session: isolated Session) async throws -> AuthenticationAnswer? {
        guard progress.nextKey < publicKeys.candidates.count else { return nil }
        progress.nextKey += 1
        let answer = try await offer(publicKeys.candidates[progress.nextKey - 1], on: session)
        if case .failure(_, false) = answer { progress.wasRefused = true }
        return answer
    }

    // MARK: Public keys

    private func offer(_ candidate: PublicKeyCandidate, on session: isolated Session) async throws -> AuthenticationAnswer {
        var answer = AuthenticationAnswer.failure(methods: nil, partialSuccess: false)
        let offers = PublicKeyOffer.all(
            for: candidate.key, server: session.serverSoftware, accepted: credentials.acceptedAlgorithms)
        for offer in offers {
            var attempt = SSHAuthenticationAttempt(method: "publickey", credential: candidate.label, outcome: .unanswered)
            attempt.fingerprint = candidate.key.fingerprint
            attempt.keyType = candidate.key.algorithm
            attempt.lacksPublicFile = candidate.lacksPublicFile ? true : nil
            attempt.signatureAlgorithm = offer.algorithm
            attempt.certificateDefect = Certificate(candidate.key)?.defect(for: endpoint.user, at: UInt64(max(0, time(nil))))
            let number = session.begin(attempt)
            let problem = Mutex<(any Error)?>(nil)
            let result = try await session.authenticate(
                user: endpoint.user, offer: offer, mayWait: candidate.signer.mayWait
            ) { data, algorithm in
                do {
                    return try Self.signature(in: try await candidate.signer.sign(data, algorithm: algorithm))
                } catch {
                    problem.withLock { $0 = error }
                    throw error
                }
            }
            answer = result.answer
            session.finish(number, answer, keyAccepted: result.keyAccepted, algorithm: result.algorithm)
            if let error = problem.withLock({ $0 }) { try note(error, on: session) }
            // The same key in another algorithm is worth a try only if the server rejected the first without asking for a
            // signature.
            if result.keyAccepted { break }
        }
        return answer
    }

    /// The second string of a signature blob (RFC 4253 section 6.6), because libssh2 adds the algorithm's name itself. For a
    /// security key, everything after the name, which libssh2 sends unchanged.
    private static func signature(in blob: [UInt8]) throws -> [UInt8] {
        var reader = SSHWireReader(blob)
        let name = try reader.text()
        if PublicKeyAlgorithm.isSecurityKey(name) { return Array(blob[(4 + name.utf8.count)...]) }
        return Array(try reader.string())
    }

    /// Records a key that could not sign. This is not a failure yet, because another key may sign.
    private func note(_ error: any Error, on session: isolated Session) throws {
        switch error {
        case let problem as SSHKeyProblem: session.noteCredentials(keyProblems: [problem])
        case let problem as SSHAgentProblem: session.noteCredentials(agentProblem: problem)
        case is CancellationError: throw error
        default: timeline.notice("A key could not sign: \(error)")
        }
    }

    // MARK: Password

    private func offerPassword(_ progress: inout Progress, on session: isolated Session) async throws -> AuthenticationAnswer? {
        guard await hasPermit(&progress), !progress.passwordWasRefused || credentials.password == nil,
            !progress.passwordWasDeclined,
            progress.passwordTries < max(credentials.passwordPrompts, credentials.password == nil ? 0 : 1)
        else { return nil }
        guard let password = try await password(try: progress.passwordTries, isRetry: progress.passwordWasRefused) else {
            // Once a person has given no answer, they are not asked again, even if other methods are tried meanwhile.
            progress.passwordWasDeclined = interaction != nil && credentials.password == nil
            return nil
        }
        progress.passwordTries += 1
        progress.passwordWasSent = true
        timeline.secrets.add(password)
        let number = session.begin(SSHAuthenticationAttempt(method: "password", credential: "password", outcome: .unanswered))
        let answer = try await session.authenticate(user: endpoint.user, password: password)
        session.finish(number, answer)
        if case .failure(_, false) = answer { (progress.passwordWasRefused, progress.wasRefused) = (true, true) }
        await reportToPermit(answer)
        return answer
    }

    /// Whether a password given in advance may be offered. The permit is asked only once.
    private func hasPermit(_ progress: inout Progress) async -> Bool {
        guard let permit = credentials.passwordPermit, credentials.password != nil else { return true }
        if let mayOffer = progress.mayOfferPassword { return mayOffer }
        let mayOffer = await promptPause.ask { await permit.mayOffer() }
        progress.mayOfferPassword = mayOffer
        if !mayOffer { timeline.notice("The password was not offered: it has already been refused.") }
        return mayOffer
    }

    /// A password that was not sent is neither accepted nor refused.
    private func returnPermit(_ progress: Progress) async {
        if progress.mayOfferPassword == true, !progress.passwordWasSent { await credentials.passwordPermit?.unused() }
    }

    private func reportToPermit(_ answer: AuthenticationAnswer) async {
        switch answer {
        case .success, .passwordChangeRequired: await credentials.passwordPermit?.answered(accepted: true)
        case .failure(_, let isPartialSuccess): await credentials.passwordPermit?.answered(accepted: isPartialSuccess)
        case .noSignature: break
        }
    }

    private func password(try number: Int, isRetry: Bool) async throws -> SSHSecret? {
        if let password = credentials.password { return number == 0 ? password : nil }
        guard let interaction else { return nil }
        return try await promptPause.ask {
            try await interaction.password(user: endpoint.user, host: endpoint.name, isRetry: isRetry)
        }
    }

    // MARK: Keyboard-interactive

    private func answerPrompts(_ progress: inout Progress, on session: isolated Session) async throws -> AuthenticationAnswer? {
        let mayAsk = interaction != nil
        let wantsPassword = credentials.password != nil && !progress.passwordWasRefused && progress.interactiveTries == 0
        let hasPassword = wantsPassword ? await hasPermit(&progress) : false
        // Without any answers, keyboard-interactive is still worth a try as a second factor: the server may ask nothing, and only
        // require a touch on a device.
        guard progress.interactiveTries < (mayAsk ? max(credentials.passwordPrompts, hasPassword ? 1 : 0) : 1),
            mayAsk || hasPassword || progress.hadPartialSuccess
        else { return nil }
        progress.interactiveTries += 1
        let prompter = Prompter(
            endpoint: endpoint, password: hasPassword ? credentials.password : nil, interaction: interaction,
            promptPause: promptPause, secrets: timeline.secrets, isRetry: progress.answersWereRefused)
        let number = session.begin(
            SSHAuthenticationAttempt(method: "keyboard-interactive", credential: "answers", outcome: .unanswered))
        defer { if prompter.usedPassword { progress.passwordWasSent = true } }
        let answer = try await prompter.run(in: session, user: endpoint.user)
        session.finish(number, answer, said: prompter.serverTexts, wasAsked: prompter.wasAsked)
        if prompter.usedPassword { await reportToPermit(answer) }
        if let error = prompter.failure { throw error }
        // If nothing could answer prompts at all, this is a missing factor, not an unexpected prompt.
        if let prompt = prompter.unanswerable, mayAsk || credentials.password != nil { progress.unanswerable = prompt }
        if case .failure(_, false) = answer {
            if prompter.usedPassword { progress.passwordWasRefused = true }
            if prompter.wasAsked { (progress.wasRefused, progress.answersWereRefused) = (true, true) }
            // A server that refuses without a prompt has none (sshconnect2.c: userauth_kbdint).
            if !prompter.wasAsked { progress.interactiveTries = .max }
        }
        return prompter.unanswerable == nil ? answer : nil
    }
}
