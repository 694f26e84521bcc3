/// Reads the identities and asks the agent for its keys.
struct CandidateLoader: Sendable {
    let credentials: SSHCredentials
    let interaction: (any SSHInteraction)?
    /// Pauses the deadline while a person types.
    let whileAsking: WhileAsking
    /// Key files that were decrypted before.
    var openedKeys = OpenedKeys()
    /// Where a key file that the passphrase decrypts stays for later connections.
    var decryptedKeyFiles = DecryptedKeyFiles()

    /// Reads and checks the key files. It uses no network except for the agent's socket.
    func load(_ agent: AgentKeys) async throws -> PublicKeyCandidates {
        let agentKeys = agent.candidates
        var result = PublicKeyCandidates()
        result.agentProblem = agent.problem
        for identity in credentials.identities {
            do {
                var candidate = try await candidate(for: identity, agentKeys: agentKeys)
                candidate.lacksPublicFile =
                    identity.signer == nil && KeyFileReading.publicKey(beside: identity.path, orCertificate: false) == nil
                guard !result.candidates.contains(where: { $0.key == candidate.key }) else {
                    result.leftOut.append(ConsideredKey(candidate.key, label: identity.label, isAgents: false, use: .duplicate))
                    continue
                }
                result.candidates.append(candidate)
                addCertificate(beside: identity, of: candidate, to: &result)
            } catch let problem as SSHKeyProblem {
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
                result.leftOut.append(
                    ConsideredKey(path: identity.signer == nil ? identity.path : identity.label, use: .unusable(problem)))
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
            let problem = SSHKeyProblem(
                reason: .typeUnsupported, path: AgentKeys.label(of: key), detail: OfferableKey.advice(on: key.algorithm))
            result.keyProblems.append(problem)
            result.explicitProblem = problem
        }
        result.leftOut += agent.unsupported.map {
            ConsideredKey($0, label: AgentKeys.label(of: $0), isAgents: true, use: .unsupported)
        }
        return result
    }

    private func candidate(for identity: SSHIdentity, agentKeys: [PublicKeyCandidate]) async throws -> PublicKeyCandidate {
        if let signer = identity.signer { return try candidate(signer, label: identity.label) }
        if let opened = openedKeys[identity.path] {
            return PublicKeyCandidate(
                signer: KeySigner(opened.key, path: identity.path), label: identity.label, file: opened.file)
        }
        let file = try KeyFile.read(path: identity.path)
        // As ssh does: which of the two keys is meant is unknown.
        if let mismatch = file.notice { throw mismatch }
        if let publicKey = file.publicKey, let held = agentKeys.first(where: { $0.key == publicKey }), file.isEncrypted {
            return PublicKeyCandidate(signer: held.signer, label: identity.label)
        }
        try file.requireAffordable()
        if !file.isEncrypted || credentials.passphrase != nil {
            let key = try await file.opened(with: credentials.passphrase)
            if file.isEncrypted { decryptedKeyFiles.keep(file) }
            return PublicKeyCandidate(signer: KeySigner(key, path: identity.path), label: identity.label, file: file)
        }
        guard let interaction else {
            _ = try file.decrypted(with: nil)
            throw SSHKeyProblem(reason: .passphraseRequired, path: identity.path, detail: "The key is encrypted.")
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

    private func candidate(_ signer: any SSHSigner, label: String) throws(SSHKeyProblem) -> PublicKeyCandidate {
        let algorithm = signer.publicKey.algorithm
        guard OfferableKey.isOfferable(algorithm) else {
            throw SSHKeyProblem(reason: .typeUnsupported, path: label, detail: OfferableKey.advice(on: algorithm))
        }
        if let held = signer as? HeldPrivateKey {
            return PublicKeyCandidate(signer: KeySigner(held.key, path: label), label: label)
        }
        return PublicKeyCandidate(signer: CallersSigner(signer, label: label), label: label)
    }

    private static func open(
        _ file: KeyFile, asking interaction: any SSHInteraction, _ whileAsking: WhileAsking
    ) async throws -> SSHPrivateKey {
        for attempt in 1...3 {
            let passphrase = try await whileAsking.ask {
                try await interaction.passphrase(forKeyAt: file.path, isRetry: attempt > 1)
            }
            do {
                return try await file.opened(with: passphrase)
            } catch let error as SSHKeyProblem {
                if attempt == 3 || error.reason != .passphraseWrong { throw error }
            }
        }
        throw SSHKeyProblem(reason: .passphraseWrong, path: file.path, detail: "No passphrase opened the key.")
    }

    /// A key that only the agent can use may be named by its public half, or by the private half that is not there.
    private func agentCandidate(forPublicHalfOf identity: SSHIdentity, agentKeys: [PublicKeyCandidate]) -> PublicKeyCandidate? {
        guard identity.signer == nil else { return nil }
        let path = identity.path
        let base = path.hasSuffix(".pub") ? String(path.dropLast(4)) : path
        guard let key = KeyFileReading.publicKey(beside: base, orCertificate: base != path),
            let held = agentKeys.first(where: { $0.key == key })
        else { return nil }
        return PublicKeyCandidate(signer: held.signer, label: identity.label)
    }
}
