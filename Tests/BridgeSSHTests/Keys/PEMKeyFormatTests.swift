import BridgeSSH
import Testing

/// PKCS#1, SEC1 and PKCS#8 as ssh-keygen and openssl write them, plain and encrypted.
@Suite struct PEMKeyFormatTests {
    /// openssl's options to encrypt a PKCS#8 key.
    static let pkcs8Options: [[String]] = [
        ["-v2", "aes-128-cbc"], ["-v2", "aes-192-cbc"], ["-v2", "aes-256-cbc"],
        ["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA1"], ["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA224"],
        ["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA384"], ["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA512"],
        ["-v2", "aes-256-cbc", "-iter", "1"], ["-scrypt"], ["-scrypt", "-scrypt_N", "1024", "-scrypt_r", "4", "-scrypt_p", "2"],
    ]

    static let kindsOfSSHKeygen = KeyKind.all.dropFirst()

    @Test("unencrypted keys", arguments: kindsOfSSHKeygen, ["PEM", "PKCS8"])
    func plain(kind: KeyKind, format: String) async throws {
        let directory = try KeyDirectory()
        let file = try KeyFile.read(path: try await kind.generate(in: directory, options: ["-m", format]))
        let key = try file.decrypted(with: nil)
        #expect(key.publicKey == (try publicKey(in: directory)))
        #expect(key.publicKey.comment == "alice@example", "PEM has no comment: it comes from the .pub file")
        try await expectSignaturesVerify(key, kind: kind, in: directory)
    }

    @Test("old encryption", arguments: kindsOfSSHKeygen)
    func oldEncryption(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        let path = try await kind.generate(in: directory, passphrase: "pass phrase", options: ["-m", "PEM"])
        try await expectOpens(path, passphrase: "pass phrase", cipher: "AES-128-CBC", in: directory)
        try await kind.generate(in: directory, name: "plain", options: ["-m", "PEM"])
        for cipher in ["aes-128-cbc", "aes-192-cbc", "aes-256-cbc"] {
            let path = directory.path(cipher)
            let command = kind.type == "rsa" ? ["rsa", "-traditional"] : ["ec"]
            try await Program.run(
                "openssl", command + ["-in", directory.path("plain"), "-out", path, "-\(cipher)", "-passout", "pass:pass phrase"])
            try directory.copy("plain.pub", to: cipher + ".pub")
            try await expectOpens(
                path, passphrase: "pass phrase", cipher: cipher.uppercased(), in: directory, public: "plain.pub")
        }
    }

    @Test("PKCS #8 encryption", arguments: kindsOfSSHKeygen)
    func pkcs8Encryption(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        let path = try await kind.generate(in: directory, passphrase: "pass phrase", options: ["-m", "PKCS8"])
        try await expectOpens(path, passphrase: "pass phrase", cipher: nil, in: directory)
    }

    @Test("PKCS #8 variants", arguments: pkcs8Options)
    func pkcs8Variants(options: [String]) async throws {
        let directory = try KeyDirectory()
        for (name, algorithm) in [("ed", ["ed25519"]), ("ec", ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"])] {
            let (plain, path) = (directory.path(name), directory.path(name + ".enc"))
            try await Program.run("openssl", ["genpkey", "-out", plain, "-algorithm"] + algorithm)
            try await Program.run(
                "openssl", ["pkcs8", "-topk8", "-in", plain, "-out", path, "-passout", "pass:pass phrase"] + options)
            let original = try KeyFile.read(path: plain).decrypted(with: nil)
            let file = try KeyFile.read(path: path)
            #expect(file.isEncrypted)
            #expect(file.publicKey == nil, "there is no .pub file")
            #expect(try file.decrypted(with: SSHSecret("pass phrase")).publicKey == original.publicKey)
            let problem = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: SSHSecret("pass phrase!")) }
            #expect(problem?.reason == .passphraseWrong)
        }
    }

    /// One wrong passphrase in 256 gives valid padding, and then garbage. That must not be reported as a damaged file.
    @Test("wrong passphrases are never reported as damage") func wrongPassphrasesAreNeverReportedAsDamage() async throws {
        let directory = try KeyDirectory()
        let kind = KeyKind(type: "ecdsa", bits: 256)
        let path = try await kind.generate(in: directory, passphrase: "pass phrase", options: ["-m", "PEM"])
        let file = try KeyFile.read(path: path)
        for number in 0..<4000 {
            let problem = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: SSHSecret("wrong \(number)")) }
            guard problem?.reason == .passphraseWrong else {
                Issue.record("wrong \(number): \(String(describing: problem))")
                break
            }
        }
    }

    @Test("Ed25519 keys of OpenSSL") func ed25519FromOpenSSL() async throws {
        let directory = try KeyDirectory()
        let path = directory.path("key")
        try await Program.run("openssl", ["genpkey", "-algorithm", "ed25519", "-out", path])
        let key = try KeyFile.read(path: path).decrypted(with: nil)
        try await expectSignaturesVerify(key, kind: .ed25519, in: directory)
    }

    /// `openssl ecparam -genkey` writes a block of parameters before the key, and other tools write notes there.
    @Test("blocks before the key") func blocksBeforeTheKey() async throws {
        let directory = try KeyDirectory()
        let path = directory.path("key")
        try await Program.run("openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-out", path])
        let text = String(decoding: try directory.bytes("key"), as: UTF8.self)
        #expect(text.hasPrefix("-----BEGIN EC PARAMETERS"))
        let noted = try directory.write("Bag Attributes\n    friendlyName: x\n\(text)".utf8, to: "noted")
        let key = try KeyFile.read(path: try directory.write(text.utf8, to: "copy"))
        #expect(try KeyFile.read(path: noted).publicKey == key.publicKey)
        try await expectSignaturesVerify(try key.decrypted(with: nil), kind: KeyKind.all[1], in: directory)
    }

    @Test("compressed points", arguments: kindsOfSSHKeygen.prefix(3))
    func compressedPoints(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        let path = try await kind.generate(in: directory, options: ["-m", "PEM"])
        let key = try #require(try KeyFile.read(path: path).publicKey)
        for (name, command) in ["ec": "ec", "pkcs8": "pkey"] {
            let copy = directory.path(name)
            let form = command == "ec" ? "-conv_form" : "-ec_conv_form"
            try await Program.run("openssl", [command, "-in", path, "-out", copy, form, "compressed"])
            #expect(try directory.bytes(name).count < (try directory.bytes("id").count))
            #expect(try KeyFile.read(path: copy).publicKey == key)
        }
    }

    @Test("ciphers that are not supported") func ciphersThatAreNotSupported() async throws {
        let directory = try KeyDirectory()
        try await KeyKind(type: "rsa", bits: 1024).generate(in: directory, options: ["-m", "PEM"])
        let old = ["rsa", "-traditional", "-des3"]
        let new = ["pkcs8", "-topk8", "-v2", "des3"]
        let oldest = ["pkcs8", "-topk8", "-v1", "PBE-SHA1-3DES"]
        for (name, command) in ["old": old, "new": new, "oldest": oldest] {
            let path = directory.path(name)
            try await Program.run(
                "openssl", command + ["-in", directory.path("id"), "-out", path, "-passout", "pass:pass phrase"])
            let problem = #expect(throws: SSHKeyProblem.self) { try KeyFile.read(path: path) }
            #expect(problem?.reason == .cipherUnsupported, "\(name)")
            #expect(problem?.detail.contains("ssh-keygen -p") == true)
        }
    }

    private func publicKey(in directory: KeyDirectory, _ name: String = "id.pub") throws -> SSHPublicKey {
        try SSHPublicKey(line: String(decoding: try directory.bytes(name), as: UTF8.self))
    }

    private func expectOpens(
        _ path: String, passphrase: String, cipher: String?, in directory: KeyDirectory, public name: String = "id.pub"
    ) async throws {
        let file = try KeyFile.read(path: path)
        #expect(file.isEncrypted)
        if let cipher { #expect(file.encryption == cipher) }
        let expected = try publicKey(in: directory, name)
        #expect(file.publicKey == expected, "the public half comes from the .pub file")
        #expect(try file.decrypted(with: SSHSecret(passphrase)).publicKey == expected)
        let wrong = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: SSHSecret("not " + passphrase)) }
        #expect(wrong?.reason == .passphraseWrong)
        let none = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: nil) }
        #expect(none?.reason == .passphraseRequired)
    }
}
