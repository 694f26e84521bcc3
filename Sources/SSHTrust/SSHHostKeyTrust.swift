/// Verifies servers' host keys: the files, the policy, and the ``SSHInteraction`` that is asked.
public struct SSHHostKeyTrust: Sendable {
    /// Asks a person; true only for a clear yes.
    public typealias Ask = @Sendable (SSHHostKeyQuestion) async throws -> Bool

    /// The known_hosts files; all are read, and new keys go into the first of the user's.
    public let files: SSHKnownHostsFiles
    /// The policy in force: never `ask` without an interaction.
    public let policy: SSHHostKeyPolicy
    private let ask: Ask?

    /// - Parameters:
    ///   - files: the files that are read, and written.
    ///   - policy: what to do with unknown hosts; `ask` without a closure is `strict`.
    ///   - ask: asks a person. ``check(_:host:port:against:)`` throws its errors.
    public init(files: SSHKnownHostsFiles, policy: SSHHostKeyPolicy, ask: Ask? = nil) {
        self.files = files
        self.policy = policy == .ask && ask == nil ? .strict : policy
        self.ask = ask
    }

    /// Reads the files. Call it before key exchange, which has to know which key types to ask for.
    ///
    /// - Throws: ``SSHKnownHostsProblem`` if a file that was asked for cannot be read.
    public func load() throws -> SSHKnownHosts { try files.load(policy: policy) }

    /// Verifies a server's key, asks if the policy says so, and remembers an accepted key.
    ///
    /// - Parameters:
    ///   - key: the server's key, after it has proved that it holds the private half.
    ///   - host: the name or address as the user gave it; a HostKeyAlias goes with port 22, as ssh(1) has it.
    ///   - port: the port, 1 to 65535.
    ///   - knownHosts: the result of ``load()``.
    /// - Throws: ``SSHKnownHostsProblem`` in two cases: the host is unknown, the policy is not strict, and a standard file that
    ///   may have another key could not be read; or the key cannot be written to known_hosts, unless a person has accepted it or
    ///   ``SSHKnownHostsFiles/acceptsWithoutRemembering`` is set. Also the errors of the question.
    nonisolated(nonsending)
        public func check(_ key: SSHHostKey, host: String, port: Int, against knownHosts: SSHKnownHosts) async throws
        -> SSHHostKeyOutcome
    {
        let verdict = await knownHosts.lookUp { $0.verdict(on: key, host: host, port: port) }
        switch SSHTrustDecision(policy: policy, verdict: verdict) {
        case .accept:
            guard case .trusted(let location) = verdict else { return .rejected(verdict) }
            return .trusted(location)
        case .reject:
            return .rejected(verdict)
        case .acceptAndRemember:
            if let problem = knownHosts.unreadable.first { throw problem }
            let outcome = await BlockingWork.run { remember(key, host: host, port: port) }
            // Whoever answers the next connection would be trusted as well.
            if case .acceptedOnce(let problem) = outcome, !files.acceptsWithoutRemembering { throw problem }
            return outcome
        case .ask:
            if let problem = knownHosts.unreadable.first { throw problem }
            let question = question(about: key, host: host, port: port, verdict: verdict, knownHosts: knownHosts)
            guard let ask, try await ask(question) else { return .rejected(verdict) }
            return await BlockingWork.run { remember(key, host: host, port: port) }
        }
    }

    private func remember(_ key: SSHHostKey, host: String, port: Int) -> SSHHostKeyOutcome {
        guard let path = files.user.first else {
            return .acceptedOnce(.noFile)
        }
        let writer = SSHKnownHostsWriter(path: path, creatableDirectory: files.creatableDirectory, hashesNames: files.hashesNames)
        do {
            switch try writer.add(writing: key, host: host, port: port) {
            case .added(let location): return .remembered(location)
            case .alreadyKnown(let location): return .trusted(location)
            case .contradicted(let verdict): return .rejected(verdict)
            }
        } catch {
            return .acceptedOnce(error)
        }
    }

    private func question(
        about key: SSHHostKey, host: String, port: Int, verdict: SSHHostKeyVerdict, knownHosts: SSHKnownHosts
    ) -> SSHHostKeyQuestion {
        var authority: SSHKnownHostsLocation?
        if case .unknown(_, let location) = verdict { authority = location }
        return SSHHostKeyQuestion(
            host: host, port: port, keyType: key.algorithm, fingerprint: key.fingerprint,
            otherNames: knownHosts.otherNames(of: key, host: host, port: port), certificateAuthority: authority,
            skippedLines: knownHosts.skippedLines)
    }
}

/// The outcome for a host key.
public enum SSHHostKeyOutcome: Sendable, Hashable {
    /// It was known.
    case trusted(SSHKnownHostsLocation)
    /// The key was unknown, was accepted, and is known from now on.
    case remembered(SSHKnownHostsLocation)
    /// The key was unknown and could not be written to known_hosts, but was accepted, by a person or because
    /// ``SSHKnownHostsFiles/acceptsWithoutRemembering`` is set. The connection continues with a notice.
    case acceptedOnce(SSHKnownHostsProblem)
    /// The key is not trusted: the connection must end before any credential is sent.
    case rejected(SSHHostKeyVerdict)
}
