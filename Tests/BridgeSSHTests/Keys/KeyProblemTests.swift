import BridgeSSH
import Foundation
import Testing

/// Problems of unusable key files, found before anything goes over the network.
@Suite struct KeyProblemTests {
    private func problem(_ path: String) throws -> SSHKeyProblem {
        try #require(throws: SSHKeyProblem.self) { try KeyFile.read(path: path) }
    }

    @Test("reasons keep their names") func reasonsKeepTheirNames() {
        #expect(
            SSHKeyProblem.Reason.allCases.map(\.rawValue) == [
                "not-found", "unreadable", "is-public-key", "format-unsupported", "format-invalid", "passphrase-required",
                "passphrase-wrong", "cipher-unsupported", "type-unsupported", "public-key-mismatch", "permissions-too-open",
            ])
    }

    @Test("problems survive JSON") func problemsSurviveJSON() throws {
        let problem = SSHKeyProblem(reason: .notFound, path: "/x", detail: "There is no such file.", systemError: ENOENT)
        #expect(try JSONDecoder().decode(SSHKeyProblem.self, from: JSONEncoder().encode(problem)) == problem)
    }

    @Test("files that cannot be read") func filesThatCannotBeRead() throws {
        let directory = try KeyDirectory()
        let missing = try problem(directory.path("missing"))
        #expect((missing.reason, missing.systemError) == (.notFound, ENOENT))
        try directory.write([1], to: "file")
        #expect(try problem(directory.path("file/id")).reason == .notFound)
        let folder = try problem(directory.url.path)
        #expect((folder.reason, folder.systemError) == (.unreadable, EISDIR))
        #expect(mkfifo(directory.path("pipe"), 0o600) == 0)
        #expect(try problem(directory.path("pipe")).reason == .unreadable)
        #expect(symlink(directory.path("loop"), directory.path("loop")) == 0)
        let loop = try problem(directory.path("loop"))
        #expect((loop.reason, loop.systemError) == (.unreadable, ELOOP))
    }

    // (content, reason, text from the detail)
    static let contents: [(String, SSHKeyProblem.Reason, String)] = [
        ("", .formatInvalid, "empty"),
        ("hello\n", .formatInvalid, "no BEGIN line"),
        ("\0\u{1}\u{2}", .formatInvalid, "binary"),
        (String(repeating: "x", count: 1 << 20) + "y", .formatInvalid, "1048577"),
        ("PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n", .formatUnsupported, "puttygen"),
        ("SSH PRIVATE KEY FILE FORMAT 1.1\n\0", .formatUnsupported, "protocol 1"),
        ("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----\n", .isPublicKey, "RFC 4716"),
        ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n", .formatUnsupported, "SSH Communications"),
        ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", .isPublicKey, "PUBLIC KEY"),
        ("-----BEGIN RSA PUBLIC KEY-----\nAAAA\n-----END RSA PUBLIC KEY-----\n", .isPublicKey, "RSA PUBLIC KEY"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", .isPublicKey, "certificate"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n", .formatUnsupported, "OpenPGP"),
        ("-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----\n", .typeUnsupported, "DSA"),
        ("ssh-rsa not-base64 alice\n", .isPublicKey, "damaged"),
        ("\u{FEFF}-----BEGIN OPENSSH PRIVATE KEY-----\n", .formatInvalid, "byte order mark"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----b3Bl-----END OPENSSH PRIVATE KEY-----x", .formatInvalid, "line breaks"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n", .formatInvalid, "END line"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n", .formatInvalid, "nothing between"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\nb3*l\n-----END OPENSSH PRIVATE KEY-----\n", .formatInvalid, "Line 3"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3B\n-----END OPENSSH PRIVATE KEY-----\n", .formatInvalid, "line 2 is incomplete"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END RSA PRIVATE KEY-----\n", .formatInvalid, "END line 3"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n", .formatInvalid, "openssh-key-v1"),
        ("note\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n", .formatInvalid, "line 2"),
        ("-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n", .formatInvalid, "ASN.1"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n", .formatInvalid,
            "DEK-Info"
        ),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: DES-EDE3-CBC,00\n\nAAAA\n"
                + "-----END RSA PRIVATE KEY-----\n",
            .cipherUnsupported, "DES-EDE3-CBC"
        ),
    ]

    @Test("invalid content", arguments: contents)
    func content(content: String, reason: SSHKeyProblem.Reason, words: String) throws {
        let directory = try KeyDirectory()
        let path = try directory.write(content.utf8, to: "id")
        let problem = try problem(path)
        #expect(problem.reason == reason, "\(problem)")
        #expect(problem.detail.contains(words), "\(problem)")
        #expect(problem.path == path)
    }

    @Test("DER and UTF-16") func derAndUTF16() async throws {
        let directory = try KeyDirectory()
        try await Program.run("openssl", ["genrsa", "-out", directory.path("pem"), "1024"])
        try await Program.run(
            "openssl", ["pkey", "-in", directory.path("pem"), "-outform", "DER", "-out", directory.path("der")])
        let der = try directory.write(try directory.bytes("der"), to: "copy")
        #expect(try problem(der).reason == .formatUnsupported)
        #expect(try problem(der).detail.contains("DER"))
        let wide: [UInt8] = [0xFF, 0xFE] + (try directory.bytes("pem")).flatMap { [$0, 0] as [UInt8] }
        #expect(try problem(try directory.write(wide, to: "wide")).detail.contains("UTF-16"))
    }

    @Test("public keys and certificates given by mistake") func publicKeysAndCertificatesGivenByMistake() async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory)
        let mistake = try problem(path + ".pub")
        #expect(mistake.reason == .isPublicKey, "and not its mode, which is 0644")
        #expect(mistake.detail.contains(try #require(try KeyFile.read(path: path).publicKey).fingerprint))
        try await Program.run("ssh-keygen", ["-q", "-s", path, "-I", "name", "-n", "alice", path + ".pub"])
        let certificate = try problem(path + "-cert.pub")
        #expect(certificate.reason == .isPublicKey)
        #expect(certificate.detail.contains("ED25519-CERT"))
        for format in ["RFC4716", "PKCS8", "PEM"] {
            let kind = KeyKind(type: "rsa", bits: 1024)
            let rsa = try await kind.generate(in: directory, name: format)
            let exported = try await Program.run("ssh-keygen", ["-e", "-m", format, "-f", rsa])
            #expect(try problem(try directory.write(exported.utf8, to: format + ".e")).reason == .isPublicKey, "\(format)")
        }
    }

    @Test("kinds that cannot sign") func kindsThatCannotSign() async throws {
        let directory = try KeyDirectory()
        try await Program.run("ssh-keygen", ["-q", "-t", "dsa", "-N", "", "-f", directory.path("dsa")])
        try await Program.run("ssh-keygen", ["-q", "-t", "dsa", "-N", "", "-m", "PKCS8", "-f", directory.path("dsa8")])
        for (name, algorithm) in [
            ("k1", ["EC", "-pkeyopt", "ec_paramgen_curve:secp256k1"]), ("ed448", ["ed448"]),
            ("explicit", ["EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-pkeyopt", "ec_param_enc:explicit"]),
            ("small", ["RSA", "-pkeyopt", "rsa_keygen_bits:768"]), ("primes", ["RSA", "-pkeyopt", "rsa_keygen_primes:3"]),
        ] {
            try await Program.run("openssl", ["genpkey", "-out", directory.path(name), "-algorithm"] + algorithm)
        }
        for name in ["dsa", "dsa8", "k1", "ed448", "explicit", "small", "primes"] {
            let problem = try problem(directory.path(name))
            #expect(problem.reason == .typeUnsupported, "\(problem)")
        }
    }

    @Test("security keys") func securityKeys() throws {
        var key = SSHWireWriter()
        key.string("sk-ssh-ed25519@openssh.com")
        key.string([UInt8](repeating: 1, count: 32))
        key.string("ssh:")
        var file = SSHWireWriter()
        file.raw("openssh-key-v1\0".utf8)
        file.string("none")
        file.string("none")
        file.string("")
        file.uint32(1)
        file.string(key.bytes)
        file.string([UInt8](repeating: 0, count: 16))
        let text = "-----BEGIN OPENSSH PRIVATE KEY-----\n\(Base64.encode(file.bytes))\n-----END OPENSSH PRIVATE KEY-----\n"
        let directory = try KeyDirectory()
        let problem = try problem(try directory.write(text.utf8, to: "id_ed25519_sk"))
        #expect(problem.reason == .typeUnsupported)
        #expect(problem.detail.contains("FIDO security key (sk-ssh-ed25519@openssh.com). Only libssh2 1.11 and later can use it"))
        let remedy = "through an agent. Load it there: `ssh-add \(problem.path)`."
        #expect(problem.detail.contains(remedy), "\(problem.detail)")
        var evidence = SSHEvidence(event: .keyUnusable(problem), stage: .key)
        let verdict = SSHFailureClassifier.classify(evidence)
        evidence.setting = SSHSettingEvidence(keyword: "IdentityFile", place: "/config:2")
        #expect(SSHFailureClassifier.classify(evidence).hint == "It is given by IdentityFile (/config:2). \(verdict.hint)")
        #expect(
            verdict.hint == """
                Use a type that the message names, or an Ed25519, ECDSA or RSA key: `ssh-keygen -t ed25519`. OpenSSH's ssh supports \
                more types.
                """)
        #expect(verdict.remedy.hasSuffix("Or use `--via ssh`: OpenSSH's ssh supports more types."))
    }
}
