internal import Synchronization

/// Encrypted key files that were decrypted once, for many connections.
package struct OpenedKeys: Sendable {
    private var keys: [String: (file: KeyFile, key: SSHPrivateKey)] = [:]

    /// None.
    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    subscript(path: String) -> (file: KeyFile, key: SSHPrivateKey)? { keys[path] }

    /// Decrypts a file, and keeps the key.
    ///
    /// - Throws: `SSHKeyProblem`; `CancellationError`.
    package mutating func open(_ file: KeyFile, with passphrase: SSHSecret) async throws {
        keys[file.path] = (file, try await file.opened(with: passphrase))
    }
}

extension OpenedKeys {
    /// The encrypted key files that a connection would offer and that no agent holds: those that were named, and default ones
    /// only where there is nothing else to offer.
    ///
    /// - Parameter agents: the agents that are asked for their keys.
    package static func lockedFiles(of credentials: SSHCredentials, _ agents: SharedAgents) async -> [KeyFile] {
        let held = await agents.keys(from: credentials.agentSocket, within: patience).candidates.map(\.key)
        var hasOther = credentials.password != nil || !held.isEmpty && !credentials.identitiesOnly
        var locked: [(file: KeyFile, isDefault: Bool)] = []
        for identity in credentials.identities {
            guard identity.signer == nil else {
                hasOther = true
                continue
            }
            // What is wrong with a file is the connection's to report.
            guard let file = try? KeyFile.read(path: identity.path), file.notice == nil else { continue }
            let isHeld = file.publicKey.map(held.contains) ?? false
            if !file.isEncrypted || isHeld {
                hasOther = true
            } else if (try? file.checkDerivationCost()) != nil {
                locked.append((file, identity.isDefault))
            }
        }
        let named = locked.filter { !$0.isDefault }
        return (named.isEmpty && !hasOther ? locked : named).map(\.file)
    }

    /// Seconds for an agent's list of keys.
    private static let patience = 15.0
}

/// Key files that the passphrase of a configuration has decrypted. Deriving the key of one takes 0.1 s and more, so the
/// connections of one configuration, and of its copies, do it once.
///
/// What is kept is as secret as the passphrase, which the configuration has too, and goes with it. A file that has changed is
/// read and decrypted again: see ``SharedFileCache``.
package final class DecryptedKeyFiles: Sendable {
    private let files = Mutex<[String: KeyFile]>([:])

    /// None.
    package init() {}

    /// Keeps a file, in the place of an earlier state of it.
    func keep(_ file: KeyFile) { files.withLock { $0[file.path] = file } }
}
