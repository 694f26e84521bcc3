import BridgeSSH
import Foundation
import SSHTestSupport
import Synchronization
import Testing

/// Keys and host keys that no file holds.
@Suite("Keys from memory") struct HeldKeyTests {
    /// A configuration that trusts the sandbox and offers only this.
    private func configuration(_ box: SSHDSandbox, _ identity: SSHIdentity) async throws -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = [identity]
        configuration.knownHosts = SSHKnownHostsFiles(user: [try await box.knownHosts()])
        return configuration
    }

    @Test("a private key in memory logs in, many times, without a file") func inMemory() async throws {
        let box = try await SharedSandbox.plain.box()
        let text = try String(contentsOfFile: box.clientKeyFile, encoding: .utf8)
        let configuration = try await self.configuration(box, try SSHIdentity(privateKey: text))
        for _ in 0..<3 {
            let result = try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
                try await $0.run("echo in")
            }
            #expect(result.standardOutputText == "in\n")
        }
    }

    @Test("an encrypted key in memory is decrypted once, and its errors come at once") func encrypted() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            let copy = scratch.url.appendingPathComponent("key").path
            try FileManager.default.copyItem(atPath: box.clientKeyFile, toPath: copy)
            let locking = try await ProcessRun.run(
                "/usr/bin/ssh-keygen", ["-p", "-q", "-a", "8", "-N", "open sesame", "-P", "", "-f", copy])
            #expect(locking.termination == .exited(0), "\(locking.errorOutput)")
            let text = SSHSecret(try String(contentsOfFile: copy, encoding: .utf8))
            let identity = try SSHIdentity(privateKey: text, passphrase: SSHSecret("open sesame"))
            let configuration = try await self.configuration(box, identity)
            for _ in 0..<3 {
                try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
                    _ = try await $0.run("true", check: true)
                }
            }
            for (passphrase, code) in [(nil, SSHError.Code.keyPassphraseRequired), (SSHSecret("other"), .keyPassphraseWrong)] {
                let error = try #require(
                    #expect(throws: SSHError.self) { try SSHIdentity(privateKey: text, passphrase: passphrase) })
                #expect(error.code == code, "\(error.message)")
                #expect(!error.message.contains("open sesame"))
            }
        }
        let error = try #require(#expect(throws: SSHError.self) { try SSHIdentity(privateKey: "no key") })
        #expect(error.code == .keyFormatInvalid, "\(error.message)")
    }

    /// Signs with another key instead of the real one, and counts the signatures.
    private final class Vault: SSHSigner {
        let publicKey: SSHPublicKey
        private let held: SSHIdentity
        private let failure: (any Error)?
        private let calls = Mutex<[String]>([])
        var algorithms: [String] { calls.withLock { $0 } }

        init(_ identity: SSHIdentity, failing failure: (any Error)? = nil) throws {
            held = identity
            publicKey = try #require(identity.signer).publicKey
            self.failure = failure
        }

        func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
            calls.withLock { $0.append(algorithm) }
            if let failure { throw failure }
            return try await #require(held.signer).sign(data, algorithm: algorithm)
        }
    }

    private struct Sealed: Error, CustomStringConvertible {
        let description = "the vault is sealed"
    }

    @Test("a custom signer logs in", arguments: [TestKeyKind.ed25519, .ecdsa, .rsa]) func signer(kind: TestKeyKind) async throws {
        let key = try await TestKey.make(kind, name: "vault")
        var options = SSHDSandbox.Options()
        options.authorize(key, for: .alice)
        try await SSHDSandbox.run(options) { box in
            let vault = try Vault(try SSHIdentity(privateKey: key.privateKey))
            let configuration = try await self.configuration(box, SSHIdentity(signer: vault))
            for _ in 0..<2 {
                try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
                    _ = try await $0.run("true", check: true)
                }
            }
            #expect(vault.algorithms.count == 2)
            let sealed = try Vault(try SSHIdentity(privateKey: key.privateKey), failing: Sealed())
            let refused = try await self.configuration(box, SSHIdentity(signer: sealed))
            let error = try #require(
                await #expect(throws: SSHError.self) {
                    try await SSHClient.withConnection(to: box.endpoint(), configuration: refused) { _ in }
                })
            #expect(error.evidence.notices.contains { $0.contains("the vault is sealed") }, "\(error.evidence.notices)")
        }
    }

    @Test("pools distinguish keys from memory") func apart() async throws {
        let (one, other) = (try await TestKey.make(.ed25519, name: "one"), try await TestKey.make(.ed25519, name: "other"))
        let identities = [try SSHIdentity(privateKey: one.privateKey), try SSHIdentity(privateKey: other.privateKey)]
        #expect(identities[0] != identities[1])
        #expect(identities[0] == (try SSHIdentity(privateKey: one.privateKey)))
        var options = SSHDSandbox.Options()
        options.authorize(one, for: .alice)
        try await SSHDSandbox.run(options) { box in
            let right = try await configuration(box, identities[0])
            let wrong = try await configuration(box, identities[1])
            try await SSHConnectionPool.withPool { pool in
                _ = try await pool.withConnection(to: box.endpoint(), configuration: right) { try await $0.run("true") }
                await #expect(throws: SSHError.self) {
                    try await pool.withConnection(to: box.endpoint(), configuration: wrong) { _ in }
                }
            }
        }
    }
}

/// Host keys that are known beforehand.
@Suite("Pinned host keys") struct PinnedHostKeyTests {
    private func keys(of box: SSHDSandbox) async throws -> [SSHHostKey] {
        let text = try String(contentsOfFile: try await box.knownHosts(), encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            SSHHostKey(try SSHPublicKey(line: $0.split(separator: " ").dropFirst().joined(separator: " ")))
        }
    }

    @Test("each kind of known host key replaces known_hosts, with any policy") func trusted() async throws {
        let box = try await SharedSandbox.plain.box()
        let keys = try await keys(of: box)
        #expect(keys.count == 3)
        // libssh2 1.10 verifies no RSA host key with SHA-2, and sshd offers none with SHA-1.
        let single = keys.filter { InstalledLibrary.is111 || $0.algorithm != "ssh-rsa" }
        for pins in [keys] + single.map({ [$0] }) {
            var configuration = try await box.configuration()
            configuration.knownHosts = SSHKnownHostsFiles(user: ["/nonexistent/known_hosts"])
            configuration.trustedHostKeys = pins
            configuration.hostKeyPolicy = .acceptNew
            try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
                _ = try await $0.run("true", check: true)
            }
        }
    }

    @Test("another key is refused, also one that known_hosts has") func refused() async throws {
        let box = try await SharedSandbox.plain.box()
        let key = try await TestKey.make(.ed25519, name: "another host")
        var configuration = try await box.configuration()
        configuration.trustedHostKeys = [SSHHostKey(try SSHPublicKey(line: key.publicKey))]
        configuration.hostKeyPolicy = .acceptNew
        let error = try #require(
            await #expect(throws: SSHError.self) {
                try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) { _ in }
            })
        #expect(error.code == .hostKeyChanged, "\(error.message)")
        #expect(error.evidence.authentication?.attempts.isEmpty ?? true)
    }
}

/// An interaction that answers one kind of question.
@Suite("Interaction by default") struct DefaultInteractionTests {
    private struct Password: SSHInteraction {
        func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? {
            SSHSecret(SandboxUser.alice.password ?? "")
        }
    }

    @Test("an omitted key gives no answer") func partial() async throws {
        let box = try await SharedSandbox.plain.box()
        var configuration = SSHConnectionConfiguration()
        configuration.knownHosts = SSHKnownHostsFiles(user: [try await box.knownHosts()])
        configuration.interaction = Password()
        let result = try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
            try await $0.run("echo in")
        }
        #expect(result.standardOutputText == "in\n")
        configuration.hostKeyPolicy = .ask
        configuration.knownHosts = SSHKnownHostsFiles(user: [])
        await #expect(throws: SSHError.self) {
            try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) { _ in }
        }
    }
}
