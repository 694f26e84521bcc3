package import BridgeSSH
import SSHRun

/// The encrypted key files of a fleet's hosts, whose passphrases are asked for before the first host is begun.
package struct LockedKeys {
    /// Which keys a connection offers.
    private struct Offer: Hashable {
        let identities: [SSHIdentity]
        let agentSocket: String?
        let identitiesOnly: Bool
    }

    private var offers: Set<Offer> = []
    private var credentials: [SSHCredentials] = []

    package init() {}

    /// Adds what a host is offered, and the jump hosts on the way to it.
    package mutating func add(_ configuration: SSHConnectionConfiguration) {
        for one in [configuration] + configuration.jumpHosts.map(\.configuration) {
            // It opens all of them.
            guard one.credentials.passphrase == nil else { continue }
            let offer = Offer(
                identities: one.credentials.identities, agentSocket: one.credentials.agentSocket,
                identitiesOnly: one.credentials.identitiesOnly)
            if offers.insert(offer).inserted { credentials.append(one.credentials) }
        }
    }

    /// Asks for the passphrase of each file once, and decrypts it. A file for which nothing is typed stays as it is.
    ///
    /// - Throws: ``SSHError`` for a file that three passphrases do not open; `CancellationError`.
    package func opened() async throws -> OpenedKeys {
        var files: [KeyFile] = []
        let agents = SharedAgents()
        for credentials in credentials {
            let locked = await OpenedKeys.lockedFiles(of: credentials, agents)
            files += locked.filter { file in !files.contains { $0.path == file.path } }
        }
        await agents.close()
        var keys = OpenedKeys()
        guard !files.isEmpty, let questioner = QuestionerChoice.ofThisProcess.questioner else { return keys }
        let person = PersonInteraction(questioner: questioner)
        for file in files { try await Self.open(file, asking: person, into: &keys) }
        return keys
    }

    private static func open(_ file: KeyFile, asking person: PersonInteraction, into keys: inout OpenedKeys) async throws {
        for attempt in 1...3 {
            guard let passphrase = try await person.passphrase(forKeyAt: file.path, isRetry: attempt > 1), !passphrase.isEmpty
            else { return }
            do {
                return try await keys.open(file, with: passphrase)
            } catch let problem as SSHKeyProblem {
                if attempt == 3 || problem.reason != .passphraseWrong {
                    throw SSHFailureClassifier.classify(SSHEvidence(local: .keyUnusable(problem), stage: .key))
                }
            }
        }
    }
}
