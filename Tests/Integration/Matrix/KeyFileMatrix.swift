import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Key files of every kind, good and bad. A bad one is reported before anything goes over the network.
@Suite("Matrix: key files") struct KeyFileMatrix {
    struct Kind: Sendable, CustomTestStringConvertible {
        let kind: TestKeyKind
        let format: TestKeyFormat
        let passphrase: String?
        var testDescription: String { "\(kind) \(format)\(passphrase == nil ? "" : " encrypted")" }
    }

    static let kinds: [Kind] = TestKeyKind.allCases.flatMap { kind in
        (kind == .ed25519 ? [TestKeyFormat.openSSH] : TestKeyFormat.allCases).flatMap { format in
            [nil, "the-passphrase"].map { Kind(kind: kind, format: format, passphrase: $0) }
        }
    }

    @Test("every kind of key logs in", arguments: kinds)
    func good(_ kind: Kind) async throws {
        let key = try await TestKey.make(kind.kind, format: kind.format, passphrase: kind.passphrase)
        let test = SSHDCase(
            kind.testDescription, .success, options: { $0.authorize(key, for: .alice) },
            arrange: { box, testRun in
                testRun.identities = [try box.identityFile(key)]
                testRun.passphrase = kind.passphrase
            })
        try await test.check()
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let code: SSHError.Code
        let make: @Sendable (ScratchDirectory, inout TestRun) async throws -> Void
        init(
            _ name: String, _ code: SSHError.Code,
            make: @escaping @Sendable (ScratchDirectory, inout TestRun) async throws -> Void
        ) {
            self.name = name
            self.code = code
            self.make = make
        }
        var testDescription: String { name }
    }

    static let bad: [Bad] = [
        Bad("missing", .keyNotFound) { $1.identities = [$0.path("missing")] },
        Bad("a directory", .keyUnreadable) { $1.identities = [$0.url.path] },
        Bad("the public half", .keyIsPublicKey) { scratch, testRun in
            let path = try await TestKey.make().write(to: scratch, as: "id")
            testRun.identities = [path + ".pub"]
        },
        Bad("the public half under the private one's name", .keyIsPublicKey) { scratch, testRun in
            testRun.identities = [try scratch.write(try await TestKey.make().publicKey + "\n", to: "id")]
        },
        Bad("text", .keyFormatInvalid) { $1.identities = [try $0.write("this is not a key\n", to: "id")] },
        Bad("empty", .keyFormatInvalid) { $1.identities = [try $0.write("", to: "id")] },
        Bad("cut", .keyFormatInvalid) { scratch, testRun in
            testRun.identities = [try scratch.write(String(try await TestKey.make().privateKey.prefix(150)), to: "id")]
        },
        Bad("a PuTTY key", .keyFormatUnsupported) {
            $1.identities = [try $0.write("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", to: "id")]
        },
        Bad("open to others", .keyPermissionsTooOpen) { scratch, testRun in
            testRun.identities = [try scratch.write(try await TestKey.make().privateKey, to: "id", mode: 0o644)]
        },
        Bad("encrypted, no passphrase", .keyPassphraseRequired) { scratch, testRun in
            testRun.identities = [try await TestKey.make(passphrase: "the-passphrase").write(to: scratch, as: "id")]
        },
        Bad("encrypted PEM, no passphrase", .keyPassphraseRequired) { scratch, testRun in
            let key = try await TestKey.make(.rsa, format: .pem, passphrase: "the-passphrase")
            testRun.identities = [try key.write(to: scratch, as: "id")]
        },
        Bad("encrypted, wrong passphrase", .keyPassphraseWrong) { scratch, testRun in
            testRun.identities = [try await TestKey.make(passphrase: "the-passphrase").write(to: scratch, as: "id")]
            testRun.passphrase = "wr0ng-phrase"
        },
        Bad("encrypted PKCS#8, wrong passphrase", .keyPassphraseWrong) { scratch, testRun in
            let key = try await TestKey.make(.ecdsa, format: .pkcs8, passphrase: "the-passphrase")
            testRun.identities = [try key.write(to: scratch, as: "id")]
            testRun.passphrase = "wr0ng-phrase"
        },
        Bad("the .pub file of another key next to it", .keyPublicKeyMismatch) { scratch, testRun in
            let path = try await TestKey.make(passphrase: "the-passphrase").write(to: scratch, as: "id")
            try scratch.write(try await TestKey.make(name: "other").publicKey + "\n", to: "id.pub", mode: 0o644)
            testRun.identities = [path]
            testRun.passphrase = "the-passphrase"
        },
        Bad("a cipher that nothing else uses", .keyCipherUnsupported) { scratch, testRun in
            let path = try await TestKey.make(passphrase: "the-passphrase").write(to: scratch, as: "id")
            let cipher = ["-Z", "chacha20-poly1305@openssh.com"]
            try await ProcessRun.check(
                "ssh-keygen", ["-q", "-p"] + cipher + ["-P", "the-passphrase", "-N", "the-passphrase", "-f", path])
            testRun.identities = [path]
            testRun.passphrase = "the-passphrase"
        },
        Bad("a DSA key", .keyTypeUnsupported) { scratch, testRun in
            let path = scratch.path("id")
            try await ProcessRun.check("openssl", ["dsaparam", "-genkey", "-noout", "-out", path, "1024"])
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            testRun.identities = [path]
        },
    ]

    @Test("a bad key file is reported before the network is used", arguments: bad)
    func badFile(_ bad: Bad) async throws {
        try await Gate.shared.pass {
            try await FaultServer.run(.silent) { server in
                try await ScratchDirectory.with { scratch in
                    var testRun = TestRun(host: server.host, port: server.port, user: "alice")
                    testRun.knownHosts = ["/dev/null"]
                    try await bad.make(scratch, &testRun)
                    try await testRun.check(.failure(bad.code))
                    #expect(server.connectionCount == 0)
                }
            }
        }
    }

    static let beside: [SSHDCase] = [
        SSHDCase("a bad identity and a good one", .success) {
            $1.identities.insert($0.directory.path("missing"), at: 0)
        },
        SSHDCase("a bad identity and a password", .success) {
            $1.use(password: "alice-pw")
            $1.identities = [$0.directory.path("missing")]
        },
        SSHDCase("a refused identity and a good one", .success) { box, testRun in
            testRun.identities.insert(try box.identityFile(try await TestKey.make(name: "stranger")), at: 0)
        },
    ]

    @Test("other credentials are used", arguments: beside)
    func besideOthers(_ test: SSHDCase) async throws { try await test.check() }
}
