import SSHTestSupport
import Testing

@Suite struct TestKeyTests {
    static let formats: [(TestKeyKind, TestKeyFormat, String)] = [
        (.ed25519, .openSSH, "OPENSSH PRIVATE KEY"), (.ecdsa, .openSSH, "OPENSSH PRIVATE KEY"),
        (.rsa, .openSSH, "OPENSSH PRIVATE KEY"), (.ecdsa384, .pem, "EC PRIVATE KEY"), (.rsa, .pem, "RSA PRIVATE KEY"),
        (.ecdsa521, .pkcs8, "PRIVATE KEY"), (.rsa, .pkcs8, "PRIVATE KEY"),
    ]

    @Test("a key has the requested kind", arguments: formats, [nil, "open sesame"])
    func isWhatItSays(_ expected: (TestKeyKind, TestKeyFormat, String), _ passphrase: String?) async throws {
        let key = try await TestKey.make(expected.0, format: expected.1, passphrase: passphrase)
        let encrypts = passphrase != nil && expected.1 == .pkcs8
        #expect(key.privateKey.hasPrefix("-----BEGIN \(encrypts ? "ENCRYPTED " : "")\(expected.2)-----"))
        try await ScratchDirectory.with { scratch in
            let path = try key.write(to: scratch, as: "id")
            let read = try await ProcessRun.run("ssh-keygen", ["-y", "-P", passphrase ?? "", "-f", path])
            #expect(read.output.hasPrefix(key.publicKey), "\(read.errorOutput)")
            if passphrase != nil {
                #expect(try await ProcessRun.run("ssh-keygen", ["-y", "-P", "wrong", "-f", path]).exitStatus != 0)
            }
        }
    }

    @Test("the same description is the same key") func theSameDescriptionIsTheSameKey() async throws {
        async let one = TestKey.make(.ed25519, name: "twin")
        async let two = TestKey.make(.ed25519, name: "twin")
        let other = try await TestKey.make(.ed25519, name: "other")
        #expect(try await one == two)
        #expect(try await one != other)
    }
}
