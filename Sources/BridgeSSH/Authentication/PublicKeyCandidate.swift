internal import Synchronization

/// A public key that can be offered, and what signs for it.
struct PublicKeyCandidate: Sendable {
    let signer: any Signer
    /// For a person: the file's path, or the agent key's comment.
    let label: String
    /// The file that it is of, which others find as long as it is in use.
    var file: KeyFile?

    var key: SSHPublicKey { signer.publicKey }
}

/// What the identities and the agent come to, before anything goes over the network.
struct PublicKeyCandidates: Sendable {
    var candidates: [PublicKeyCandidate] = []
    var keyProblems: [KeyProblem] = []
    /// The first problem of an identity that the user named.
    var explicitProblem: KeyProblem?
    var agentProblem: AgentProblem?
    /// Every key that was looked at, the candidates first.
    var considered: [ConsideredKey] {
        candidates.map {
            let isAgents = if case .agent = $0.signer.origin { true } else { false }
            return ConsideredKey($0.key, label: $0.label, isAgents: isAgents, use: .candidate)
        } + leftOut
    }
    /// The keys that will not be offered, and why.
    var leftOut: [ConsideredKey] = []
}

/// A key file that is only opened when the server has said that it would take the key, as `ssh` does it.
final class LockedKeySigner: Signer {
    let publicKey: SSHPublicKey
    let origin: SignerOrigin
    private let open: @Sendable () async throws -> SSHPrivateKey
    private let opened = Mutex<SSHPrivateKey?>(nil)

    init(publicKey: SSHPublicKey, path: String, open: @escaping @Sendable () async throws -> SSHPrivateKey) {
        self.publicKey = publicKey
        origin = .file(path: path)
        self.open = open
    }

    var mayWait: Bool { true }

    func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        let key: SSHPrivateKey
        if let known = opened.withLock({ $0 }) {
            key = known
        } else {
            key = try await open()
            opened.withLock { $0 = key }
        }
        return try key.sign(data, algorithm: algorithm)
    }
}

/// Reads the identities and asks the agent for its keys.
struct CandidateLoader: Sendable {
    let credentials: Credentials
    let interaction: (any Interaction)?
    /// Stops the clock while a person types.
    let whileAsking: WhileAsking

    /// Reads and judges the key files. No network, but for the agent's own socket.
    func load(_ agent: AgentKeys) async throws -> PublicKeyCandidates {
        let agentKeys = agent.candidates
        var result = PublicKeyCandidates()
        result.agentProblem = agent.problem
        for identity in credentials.identities {
            do {
                let candidate = try await candidate(for: identity, agentKeys: agentKeys)
                guard !result.candidates.contains(where: { $0.key == candidate.key }) else {
                    result.leftOut.append(ConsideredKey(candidate.key, label: identity.label, isAgents: false, use: .duplicate))
                    continue
                }
                result.candidates.append(candidate)
                addCertificate(beside: identity, of: candidate, to: &result)
            } catch let problem as KeyProblem {
                if identity.isDefault, problem.reason == .notFound {
                    result.leftOut.append(ConsideredKey(path: identity.path, use: .missing))
                    continue
                }
                // A key that only the agent can use is given by its public half.
                if let candidate = agentCandidate(forPublicHalfOf: identity, agentKeys: agentKeys) {
                    result.candidates.append(candidate)
                    addCertificate(beside: identity, of: candidate, to: &result)
                    continue
                }
                result.keyProblems.append(problem)
                result.leftOut.append(ConsideredKey(path: identity.path, use: .unusable(problem)))
                if !identity.isDefault, result.explicitProblem == nil { result.explicitProblem = problem }
            }
        }
        for candidate in agentKeys where !result.candidates.contains(where: { $0.key == candidate.key }) {
            if credentials.identitiesOnly {
                result.leftOut.append(ConsideredKey(candidate.key, label: candidate.label, isAgents: true, use: .notAnIdentity))
            } else {
                result.candidates.append(candidate)
            }
        }
        addNamedCertificates(to: &result)
        // With nothing else to offer this is why.
        if result.candidates.isEmpty, result.explicitProblem == nil, let key = agent.unsupported.first {
            let problem = KeyProblem(
                reason: .typeUnsupported, path: AgentKeys.label(of: key), detail: OfferableKey.advice(on: key.algorithm))
            result.keyProblems.append(problem)
            result.explicitProblem = problem
        }
        result.leftOut += agent.unsupported.map {
            ConsideredKey($0, label: AgentKeys.label(of: $0), isAgents: true, use: .unsupported)
        }
        return result
    }

    private func candidate(for identity: Identity, agentKeys: [PublicKeyCandidate]) async throws -> PublicKeyCandidate {
        let file = try KeyFile.read(path: identity.path)
        // As ssh does: which of the two keys is meant, nobody can tell.
        if let mismatch = file.notice { throw mismatch }
        if let publicKey = file.publicKey, let held = agentKeys.first(where: { $0.key == publicKey }), file.isEncrypted {
            return PublicKeyCandidate(signer: held.signer, label: identity.label)
        }
        try file.requireAffordable()
        if !file.isEncrypted || credentials.passphrase != nil {
            let key = try await file.opened(with: credentials.passphrase)
            return PublicKeyCandidate(signer: KeySigner(key, path: identity.path), label: identity.label, file: file)
        }
        guard let interaction else {
            _ = try file.decrypted(with: nil)
            throw KeyProblem(reason: .passphraseRequired, path: identity.path, detail: "The key is encrypted.")
        }
        let open: @Sendable () async throws -> SSHPrivateKey = { [whileAsking] in
            try await Self.open(file, asking: interaction, whileAsking)
        }
        guard let publicKey = file.publicKey else {
            return PublicKeyCandidate(signer: KeySigner(try await open(), path: identity.path), label: identity.label, file: file)
        }
        return PublicKeyCandidate(
            signer: LockedKeySigner(publicKey: publicKey, path: identity.path, open: open), label: identity.label)
    }

    private static func open(
        _ file: KeyFile, asking interaction: any Interaction, _ whileAsking: WhileAsking
    ) async throws -> SSHPrivateKey {
        for attempt in 1...3 {
            let passphrase = try await whileAsking.ask {
                try await interaction.passphrase(forKeyAt: file.path, isRetry: attempt > 1)
            }
            do {
                return try await file.opened(with: passphrase)
            } catch let error as KeyProblem {
                if attempt == 3 || error.reason != .passphraseWrong { throw error }
            }
        }
        throw KeyProblem(reason: .passphraseWrong, path: file.path, detail: "No passphrase opened the key.")
    }

    /// A key that only the agent can use may be named by its public half, or by the private half that is not there.
    private func agentCandidate(forPublicHalfOf identity: Identity, agentKeys: [PublicKeyCandidate]) -> PublicKeyCandidate? {
        let path = identity.path
        let base = path.hasSuffix(".pub") ? String(path.dropLast(4)) : path
        guard let key = KeyFileReading.publicKey(beside: base, orCertificate: base != path),
            let held = agentKeys.first(where: { $0.key == key })
        else { return nil }
        return PublicKeyCandidate(signer: held.signer, label: identity.label)
    }
}

/// Stops a deadline while a person types, and asks where it holds nobody up.
struct WhileAsking: Sendable {
    let deadline: PausableDeadline

    func ask<Answer: Sendable>(_ question: @Sendable () async throws -> Answer) async rethrows -> Answer {
        deadline.pause()
        defer { deadline.resume() }
        return try await Aside.run(question)
    }
}
