/// Which host keys are accepted of a hop.
extension Hop {
    /// The name under which known_hosts has it.
    var trustedName: (host: String, port: Int) { configuration.knownHostName(of: endpoint) }

    private var isPinned: Bool { !configuration.trustedHostKeys.isEmpty }

    /// - Parameter ask: asks a person; nil where there is none.
    func trust(asking ask: SSHHostKeyTrust.Ask?) -> SSHHostKeyTrust {
        var files = configuration.knownHosts
        if isPinned { (files.user, files.system) = ([], []) }
        return SSHHostKeyTrust(files: files, policy: isPinned ? .strict : configuration.hostKeyPolicy, ask: ask)
    }

    /// - Throws: `SSHKnownHostsProblem`.
    func loadKnownHosts(by trust: SSHHostKeyTrust) throws -> SSHKnownHosts {
        var knownHosts = try trust.load()
        if isPinned {
            knownHosts.add(trusted: configuration.trustedHostKeys, host: trustedName.host, port: trustedName.port)
        }
        return knownHosts
    }

    /// What the files and the command say.
    ///
    /// - Parameters:
    ///   - files: what the files say.
    ///   - key: the server's key; nil before it is known.
    ///   - limit: seconds that the command may take.
    /// - Throws: `Fault` if the command fails; `CancellationError`.
    nonisolated(nonsending) func knownHosts(
        _ files: SSHKnownHosts, judging key: SSHHostKey?, within limit: Double
    ) async throws -> SSHKnownHosts {
        guard let command = configuration.knownHostsCommand, !isPinned else { return files }
        let words: [String]
        do throws(LineProblem) {
            let name = KnownHostName(host: trustedName.host, port: trustedName.port).text
            words = try command.words(lookingUp: name, for: key)
        } catch {
            throw Fault(.configurationInvalid(file: "KnownHostsCommand", line: nil, problem: error.text), stage: .local)
        }
        let program = KnownHostsProgram(words: words, environment: command.environment, limit: limit)
        var all = files
        let output = try await BlockingWork.run { try await program.output() }
        all.add(contents: output, file: key == nil ? "KnownHostsCommand-ORDER" : "KnownHostsCommand-HOSTNAME")
        return all
    }
}
