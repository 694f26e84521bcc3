internal import ErrorCore

/// Reads the identities and asks the agent for its keys.
struct CandidateLoader: Sendable {
    let credentials: SSHCredentials
    let interaction: (any SSHInteraction)?
    /// Pauses the deadline while a person types.
    let promptPause: PromptPause
    /// Key files that were decrypted in advance.
    var openedKeys = OpenedKeys()
    /// Stores key files that the passphrase decrypts, for later connections.
    var decryptedKeyFiles = DecryptedKeyFiles()

    /// The facts about an identity that are known without waiting.
    private enum Finding {
        case ready(PublicKeyCandidate)
        /// The key is encrypted, and needs the passphrase.
        case locked(KeyFile)
    }

    /// Reads and checks the key files. It uses no network except the agent's socket.
    ///
    /// Most keys are ready at once, and are handled in functions that do not suspend. A suspending function would have the
    /// largest frame of a login, and a run on many hosts needs one per host.
    func load(_ agent: AgentKeys) async throws -> PublicKeyCandidates {
        var result = PublicKeyCandidates()
        result.agentProblem = agent.problem
        for identity in credentials.identities {
            do {
                switch try finding(identity, agent.candidates) {
                case .ready(let candidate): add(candidate, of: identity, to: &result)
                case .locked(let file): add(try await unlocked(file, of: identity), of: identity, to: &result)
                }
            } catch let problem as SSHKeyProblem {
                leaveOut(identity, problem, agent.candidates, &result)
            }
        }
        complete(&result, agent)
        leaveOutUnaccepted(&result)
        return result
    }

    /// Leaves out the keys that PubkeyAcceptedAlgorithms does not allow. If none remains, each is reported as a problem.
    @inline(never)
    private func leaveOutUnaccepted(_ result: inout PublicKeyCandidates) {
        guard let accepted = credentials.acceptedAlgorithms else { return }
        var rest: [PublicKeyCandidate] = []
        result.candidates.removeAll { candidate in
            let isAccepted = PublicKeyAlgorithm.signatures(of: candidate.key.algorithm).contains(where: accepted.contains)
            if !isAccepted { rest.append(candidate) }
            return !isAccepted
        }
        for candidate in rest {
            let isFromAgent = if case .agent = candidate.signer.origin { true } else { false }
            result.leftOut.append(
                KeyConsideration(candidate.key, label: candidate.label, isFromAgent: isFromAgent, use: .notAccepted))
            guard result.candidates.isEmpty else { continue }
            result.keyProblems.append(.notAccepted(candidate.label, candidate.key.algorithm))
        }
    }

    @inline(never)
    private func add(_ candidate: PublicKeyCandidate, of identity: SSHIdentity, to result: inout PublicKeyCandidates) {
        guard !result.candidates.contains(where: { $0.key == candidate.key }) else {
            result.leftOut.append(KeyConsideration(candidate.key, label: identity.label, isFromAgent: false, use: .duplicate))
            return
        }
        result.candidates.append(candidate)
        addCertificate(beside: identity, of: candidate, to: &result)
    }

    @inline(never)
    private func leaveOut(
        _ identity: SSHIdentity, _ problem: SSHKeyProblem, _ agentKeys: [PublicKeyCandidate], _ result: inout PublicKeyCandidates
    ) {
        if identity.isDefault, problem.reason == .notFound {
            result.leftOut.append(KeyConsideration(path: identity.path, use: .missing))
            return
        }
        // If only the agent has the private key, the identity names its public half.
        if let candidate = agentCandidate(forPublicHalfOf: identity, agentKeys: agentKeys) {
            result.candidates.append(candidate)
            addCertificate(beside: identity, of: candidate, to: &result)
            return
        }
        result.keyProblems.append(problem)
        result.leftOut.append(
            KeyConsideration(path: identity.signer == nil ? identity.path : identity.label, use: .unusable(problem)))
        if !identity.isDefault, result.explicitProblem == nil { result.explicitProblem = problem }
    }

    /// Adds candidates that belong to no identity.
    @inline(never)
    private func complete(_ result: inout PublicKeyCandidates, _ agent: AgentKeys) {
        for candidate in agent.candidates where !result.candidates.contains(where: { $0.key == candidate.key }) {
            if credentials.identitiesOnly {
                result.leftOut.append(
                    KeyConsideration(candidate.key, label: candidate.label, isFromAgent: true, use: .notAnIdentity))
            } else {
                result.candidates.append(candidate)
            }
        }
        addNamedCertificates(to: &result)
        // There is no other key to offer, so this key is the reason.
        if result.candidates.isEmpty, result.explicitProblem == nil, let key = agent.unsupported.first {
            let problem = SSHKeyProblem(
                reason: .typeUnsupported, path: AgentKeys.label(of: key), detail: OfferableKey.advice(on: key.algorithm))
            result.keyProblems.append(problem)
            result.explicitProblem = problem
        }
        result.leftOut += agent.unsupported.map {
            KeyConsideration($0, label: AgentKeys.label(of: $0), isFromAgent: true, use: .unsupported)
        }
    }

    @inline(never)
    private func finding(_ identity: SSHIdentity, _ agentKeys: [PublicKeyCandidate]) throws -> Finding {
        if let signer = identity.signer { return .ready(try candidate(signer, label: identity.label)) }
        if let opened = openedKeys[identity.path] { return .ready(candidate(of: identity, opened.file, opened.key)) }
        let file = try KeyFile.read(path: identity.path)
        // As in ssh: the two halves differ, and it is unknown which key is meant.
        if let mismatch = file.notice { throw mismatch }
        if let publicKey = file.publicKey, let held = agentKeys.first(where: { $0.key == publicKey }), file.isEncrypted {
            var candidate = PublicKeyCandidate(signer: held.signer, label: identity.label)
            candidate.lacksPublicFile = !file.hasPublicFile
            return .ready(candidate)
        }
        try file.checkDerivationCost()
        return file.isEncrypted ? .locked(file) : .ready(candidate(of: identity, file, try file.decrypted(with: nil)))
    }

    private func candidate(of identity: SSHIdentity, _ file: KeyFile, _ key: SSHPrivateKey) -> PublicKeyCandidate {
        var candidate = PublicKeyCandidate(
            signer: KeySigner(key, path: identity.path), label: identity.label, file: file)
        candidate.lacksPublicFile = !file.hasPublicFile
        return candidate
    }

    @inline(never)
    private func unlocked(_ file: KeyFile, of identity: SSHIdentity) async throws -> PublicKeyCandidate {
        if credentials.passphrase != nil {
            let key = try await file.opened(with: credentials.passphrase)
            decryptedKeyFiles.keep(file)
            return candidate(of: identity, file, key)
        }
        guard let interaction else {
            _ = try file.decrypted(with: nil)
            throw SSHKeyProblem(reason: .passphraseRequired, path: identity.path, detail: "The key is encrypted.")
        }
        let open: @Sendable () async throws -> SSHPrivateKey = { [promptPause] in
            try await Self.open(file, asking: interaction, promptPause)
        }
        guard let publicKey = file.publicKey else { return candidate(of: identity, file, try await open()) }
        var candidate = PublicKeyCandidate(
            signer: LockedKeySigner(publicKey: publicKey, path: identity.path, open: open), label: identity.label)
        candidate.lacksPublicFile = !file.hasPublicFile
        return candidate
    }

    private func candidate(_ signer: any SSHSigner, label: String) throws(SSHKeyProblem) -> PublicKeyCandidate {
        let algorithm = signer.publicKey.algorithm
        guard OfferableKey.isOfferable(algorithm) else {
            throw SSHKeyProblem(reason: .typeUnsupported, path: label, detail: OfferableKey.advice(on: algorithm))
        }
        if let held = signer as? InMemoryPrivateKey {
            return PublicKeyCandidate(signer: KeySigner(held.key, path: label), label: label)
        }
        return PublicKeyCandidate(signer: CustomSigner(signer, label: label), label: label)
    }

    private static func open(
        _ file: KeyFile, asking interaction: any SSHInteraction, _ promptPause: PromptPause
    ) async throws -> SSHPrivateKey {
        for attempt in 1...3 {
            let passphrase = try await promptPause.ask {
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

    /// A key that only the agent can use. The identity may name its public half, or its missing private half.
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

/// The notice about an identity that cannot be used, while others can.
package enum UnusedIdentity {
    static func notice(_ problem: SSHKeyProblem) -> String { begin(problem.path) + problem.detail }

    /// Whether a notice concerns the identity at a path.
    package static func concerns(_ path: String, _ notice: String) -> Bool {
        notice.hasPrefix(TerminalText.inert(begin(path), limit: TextExtent.sentence.limit))
    }

    private static func begin(_ path: String) -> String { "The identity \(path) is not used: " }
}

extension SSHIdentity {
    /// A private key in memory. It is parsed and decrypted here, once for all connections.
    ///
    /// Deriving the key from a passphrase blocks the thread. The time depends on the key: by default about 0.1 s, at most 10 s.
    ///
    /// - Parameters:
    ///   - privateKey: the content of a key file, in OpenSSH's format, PEM or PKCS #8.
    ///   - passphrase: for an encrypted key; otherwise ignored.
    /// - Throws: ``SSHError`` with the code `ssh.key.…` for a file with this content.
    public init(privateKey: SSHSecret, passphrase: SSHSecret? = nil) throws {
        do throws(SSHKeyProblem) {
            self.init(signer: try InMemoryPrivateKey(privateKey, passphrase: passphrase, name: SSHKeyProblem.inMemory))
        } catch {
            throw SSHFailureClassifier.classify(SSHEvidence(local: .keyUnusable(error), stage: .key))
        }
    }

    /// A private key in memory; otherwise like ``init(privateKey:passphrase:)-(SSHSecret,_)``.
    ///
    /// The `String` stays in memory until the program reuses its storage; see ``SSHSecret``.
    public init(privateKey: String, passphrase: SSHSecret? = nil) throws {
        try self.init(privateKey: SSHSecret(privateKey), passphrase: passphrase)
    }
}

/// Certificates from files, in the order of ssh(1) (sshconnect2.c: pubkey_prepare). With CertificateFile, these certificates come
/// before all keys. Otherwise each identity is followed by the certificate next to it.
extension CandidateLoader {
    /// The certificate in `IDENTITY-cert.pub`, if CertificateFile is not set.
    ///
    /// - Parameter key: the key of the identity.
    func addCertificate(beside identity: SSHIdentity, of key: PublicKeyCandidate, to result: inout PublicKeyCandidates) {
        guard credentials.certificates.isEmpty, identity.signer == nil, !PublicKeyAlgorithm.isCertificate(key.key.algorithm)
        else { return }
        let path = identity.path + "-cert.pub"
        // A missing or unreadable implied certificate is not an error.
        guard let held = KeyFileReading.publicKey(in: path, orCertificate: true),
            PublicKeyAlgorithm.isCertificate(held.algorithm), !result.candidates.contains(where: { $0.key == held })
        else { return }
        do throws(SSHKeyProblem) {
            result.candidates.append(try candidate(held, path: path, among: [key]))
        } catch {
            result.leaveOut(held, error)
        }
    }

    /// The named certificates, each with the identity or agent key that it certifies.
    func addNamedCertificates(to result: inout PublicKeyCandidates) {
        var named: [PublicKeyCandidate] = []
        for path in credentials.certificates {
            do throws(SSHKeyProblem) {
                // Reports why a file cannot be read.
                _ = try KeyFileReading.read(path: path)
                guard let held = KeyFileReading.publicKey(in: path, orCertificate: true),
                    PublicKeyAlgorithm.isCertificate(held.algorithm)
                else { throw SSHKeyProblem(reason: .formatInvalid, path: path, detail: "It holds no certificate.") }
                do throws(SSHKeyProblem) {
                    let candidate = try candidate(held, path: path, among: result.candidates)
                    if !named.contains(where: { $0.key == candidate.key }) { named.append(candidate) }
                } catch {
                    result.leaveOut(held, error)
                }
            } catch {
                result.keyProblems.append(error)
                result.leftOut.append(KeyConsideration(path: path, use: .unusable(error)))
            }
        }
        result.candidates.removeAll { candidate in named.contains { $0.key == candidate.key } }
        result.candidates.insert(contentsOf: named, at: 0)
    }

    private func candidate(
        _ held: SSHPublicKey, path: String, among keys: [PublicKeyCandidate]
    ) throws(SSHKeyProblem) -> PublicKeyCandidate {
        guard let certificate = Certificate(held) else {
            throw SSHKeyProblem(
                reason: .formatInvalid, path: path, detail: "The certificate is damaged, or of a kind that is not known.")
        }
        guard certificate.isForUsers else {
            throw SSHKeyProblem(reason: .typeUnsupported, path: path, detail: "It is the certificate of a host, not of a user.")
        }
        guard OfferableKey.isOfferable(held.algorithm) else {
            throw SSHKeyProblem(reason: .typeUnsupported, path: path, detail: OfferableKey.advice(on: held.algorithm))
        }
        guard let key = keys.first(where: { $0.key == certificate.subject }) else {
            throw SSHKeyProblem(
                reason: .publicKeyMismatch, path: path,
                detail: "The certificate belongs to a key that is not offered (\(certificate.subject.displayName) "
                    + "\(certificate.subject.fingerprint)); name that key with IdentityFile.")
        }
        return PublicKeyCandidate(
            signer: CertificateSigner(certificate, path: path, signedBy: key.signer), label: path)
    }
}

extension PublicKeyCandidates {
    fileprivate mutating func leaveOut(_ key: SSHPublicKey, _ problem: SSHKeyProblem) {
        keyProblems.append(problem)
        leftOut.append(KeyConsideration(key, label: problem.path, isFromAgent: false, use: .unusable(problem)))
    }
}

extension SSHCredentials {
    /// The earliest expiry among the certificates that would be offered, in seconds since 1970: the named ones or, without
    /// CertificateFile, those next to the identities. Nil if none expires. Reads the files.
    package var certificateEnd: UInt64? {
        let paths = certificates.isEmpty ? identities.map { $0.path + "-cert.pub" } : certificates
        return paths.compactMap { path -> UInt64? in
            guard let key = KeyFileReading.publicKey(in: path, orCertificate: true) else { return nil }
            return Certificate(key)?.end
        }.min()
    }
}
