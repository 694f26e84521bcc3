import BridgeSSH
import Crypto
import Foundation
import SSHTestSupport
import Testing

/// The claims of docs/guides/other-libraries.md: frequent problems with other libraries, tested with this one.
@Suite("Guide for users of other libraries") struct OtherLibrariesTests {
    private static func guide() throws -> String {
        try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../../docs/guides/other-libraries.md"),
            encoding: .utf8)
    }

    @Test("every program of the guide is compiled here") func programs() throws {
        let compiled = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "OtherLibrarySnippets.swift"),
            encoding: .utf8)
        let programs = try Self.guide().components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0].split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("import ") }.joined(separator: "\n").trimmingCharacters(in: .newlines)
        }
        #expect(programs.count == 4)
        for program in programs { #expect(compiled.contains(program + "\n"), "\(program)") }
    }

    @Test(
        "keys of every kind log in, in every form that ssh-keygen writes, with a passphrase and without",
        arguments: [TestKeyKind.rsa, .ecdsa, .ecdsa384, .ecdsa521, .ed25519]
    ) func keys(kind: TestKeyKind) async throws {
        var keys: [TestKey] = []
        for format in kind == .ed25519 ? [TestKeyFormat.openSSH] : TestKeyFormat.allCases {
            keys.append(try await TestKey.make(kind, format: format, name: "plain"))
            keys.append(try await TestKey.make(kind, format: format, passphrase: "open sesame", name: "locked"))
        }
        // No signature with SHA-1 is accepted.
        var options = SSHDSandbox.Options(
            "PubkeyAcceptedAlgorithms rsa-sha2-512,rsa-sha2-256,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,"
                + "ssh-ed25519")
        for key in keys { options.authorize(key, for: .alice) }
        try await SSHDSandbox.run(options) { box in
            let known = try await box.knownHosts()
            for key in keys {
                let user = try await signIn(
                    to: box.endpoint(), privateKey: key.privateKey, passphrase: key.passphrase.map { SSHSecret($0) },
                    knownHosts: known)
                #expect(user == "alice\n", "\(key.privateKey.prefix(40))")
            }
        }
    }

    @Test("a failure describes itself, even as a plain Error") func reasons() async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options("Ciphers chacha20-poly1305@openssh.com")) { box in
            let failure: any Error = try await box.failure()
            let text = explanation(of: failure)
            #expect(text.hasPrefix("[ssh.kex.no-common-cipher] "))
            #expect(failure.localizedDescription.contains("cipher") && failure.localizedDescription.contains(box.host))
            #expect(try Self.guide().contains("\n[ssh.kex.no-common-cipher] "))
        }
        let box = try await SharedSandbox.plain.box()
        let refused = try await box.failure(through: 1)
        #expect(explanation(of: refused).hasPrefix("[ssh.connect.refused] "))
    }

    @Test("a connection that is used after its end throws") func afterEnd() async throws {
        let box = try await SharedSandbox.plain.box()
        #expect(try await afterTheEnd(of: box.endpoint(), try await box.configuration()) == "it was closed")
    }

    @Test("many tasks share one connection while some are cancelled and it is closed") func shared() async throws {
        try await SSHDSandbox.run(SSHDSandbox.Options("MaxSessions 20")) { box in
            let configuration = try await box.configuration()
            let commands = (1...60).map { "echo \($0)" }
            let outputs = try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) { connection in
                let slow = (0..<8).map { _ in Task { try await connection.run("sleep 60") } }
                async let outputs = atOnce(commands, on: connection)
                for task in slow { task.cancel() }
                for task in slow {
                    let error = await task.result.failure as? SSHError
                    #expect(error?.isCancellation == true)
                }
                return try await outputs
            }
            #expect(outputs == Dictionary(uniqueKeysWithValues: (1...60).map { ("echo \($0)", "\($0)\n") }))

            let connection = try await SSHClient.connect(to: box.endpoint(), configuration: configuration)
            let running = (0..<16).map { _ in Task { try await connection.run("sleep 60") } }
            _ = try await connection.run("true")
            await connection.close()
            for task in running {
                let error = await task.result.failure
                #expect(error is SSHError, "\(String(describing: error))")
            }
        }
    }

    /// A key like that of the Secure Enclave, which signs and is never seen; swift-crypto has CryptoKit's interface.
    private struct Enclave: SSHSigner {
        let key: P256.Signing.PrivateKey
        let publicKey: SSHPublicKey

        init() throws {
            key = P256.Signing.PrivateKey()
            let parts = [
                Array("ecdsa-sha2-nistp256".utf8), Array("nistp256".utf8), Array(key.publicKey.x963Representation),
            ]
            publicKey = try SSHPublicKey(
                blob: parts.flatMap { withUnsafeBytes(of: UInt32($0.count).bigEndian, Array.init) + $0 }, comment: "enclave")
        }

        func sign(_ data: [UInt8], algorithm: String) async throws -> SSHSignature {
            let signature = try key.signature(for: data)
            // The two forms in which the keychain and the enclave give a key.
            let again = try P256.Signing.ECDSASignature(derRepresentation: signature.derRepresentation)
            return SSHSignature(ecdsaRawRepresentation: again.rawRepresentation)
        }
    }

    @Test("a key that only signs logs in, as in the example for the Secure Enclave and the keychain")
    func enclave() async throws {
        let signer = try Enclave()
        var options = SSHDSandbox.Options()
        options.authorizedKeys["alice"] = [signer.publicKey.authorizedKeysLine]
        try await SSHDSandbox.run(options) { box in
            var configuration = try await box.configuration()
            configuration.credentials.identities = [SSHIdentity(signer: signer)]
            let user = try await SSHClient.withConnection(to: box.endpoint(), configuration: configuration) {
                try await $0.run("id -un", check: true).standardOutputText
            }
            #expect(user == "alice\n")
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
