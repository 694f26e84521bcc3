internal import Synchronization

/// Encrypted key files that were decrypted once for many connections.
package struct OpenedKeys: Sendable {
    private var keys: [String: (file: KeyFile, key: SSHPrivateKey)] = [:]

    /// No keys.
    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    subscript(path: String) -> (file: KeyFile, key: SSHPrivateKey)? { keys[path] }

    /// Decrypts a file, and stores the key.
    ///
    /// - Throws: `SSHKeyProblem`; `CancellationError`.
    package mutating func open(_ file: KeyFile, with passphrase: SSHSecret) async throws {
        keys[file.path] = (file, try await file.opened(with: passphrase))
    }
}

extension OpenedKeys {
    /// The encrypted key files that a connection would offer, except those that an agent holds. Default files are included only
    /// if there is nothing else to offer.
    ///
    /// - Parameter agents: the agents to ask for their keys.
    package static func lockedFiles(of credentials: SSHCredentials, _ agents: SharedAgents) async -> [KeyFile] {
        let held = await agents.keys(from: credentials.agentSocket, within: timeLimit).candidates.map(\.key)
        var hasOther = credentials.password != nil || !held.isEmpty && !credentials.identitiesOnly
        var locked: [(file: KeyFile, isDefault: Bool)] = []
        for identity in credentials.identities {
            guard identity.signer == nil else {
                hasOther = true
                continue
            }
            // The connection itself reports a faulty file.
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

    /// The time limit for an agent's list of keys, in seconds.
    private static let timeLimit = 15.0
}

/// Key files that a configuration's passphrase has decrypted. Deriving a key takes 0.1 s or more, so the connections of a
/// configuration and its copies do it only once.
///
/// The stored keys are as secret as the passphrase, which is in the same configuration, and are freed together with it. A file
/// that has changed is read and decrypted again: see ``SharedFileCache``.
package final class DecryptedKeyFiles: Sendable {
    private let files = Mutex<[String: KeyFile]>([:])

    /// No keys.
    package init() {}

    /// Stores a file, replacing an earlier state of it.
    func keep(_ file: KeyFile) { files.withLock { $0[file.path] = file } }
}
