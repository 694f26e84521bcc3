import BridgeSSH
import Foundation
import Testing

/// Every kind of key in every encryption of OpenSSH's format, as ssh-keygen writes them.
@Suite struct OpenSSHKeyFormatTests {
    static let ciphers =
        [128, 192, 256].flatMap { ["aes\($0)-ctr", "aes\($0)-cbc"] } + ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com"]

    @Test("unencrypted keys", arguments: KeyKind.all)
    func plain(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        let file = try KeyFile.read(path: try await kind.generate(in: directory))
        #expect(!file.isEncrypted)
        #expect(file.notice == nil)
        let key = try file.decrypted(with: nil)
        #expect(key.publicKey.authorizedKeysLine + "\n" == String(decoding: try directory.bytes("id.pub"), as: UTF8.self))
        #expect(key.publicKey.bits == kind.bits)
        try await expectSignaturesVerify(key, kind: kind, in: directory)
    }

    @Test("any other byte in the padding is damage")
    func padding() async throws {
        let directory = try KeyDirectory()
        let path = directory.path("id")
        // Of eight comments of successive lengths, seven leave padding.
        for length in 0..<8 {
            try? FileManager.default.removeItem(atPath: path)
            let comment = String(repeating: "c", count: length)
            try await Program.run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path])
            let lines = String(decoding: try directory.bytes("id"), as: UTF8.self).split(separator: "\n")
            var blob = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
            guard let last = blob.last, (1...8).contains(last) else { continue }
            for byte in [0, last + 1, 255] {
                blob[blob.count - 1] = byte
                let text = "\(lines[0])\n\(blob.base64EncodedString())\n\(lines[lines.count - 1])\n"
                #expect(throws: SSHKeyProblem.self) {
                    try InMemoryPrivateKey(SSHSecret(text), passphrase: nil, name: "id")
                }
            }
        }
    }

    @Test("encrypted keys", arguments: KeyKind.all)
    func encrypted(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        try await kind.generate(in: directory)
        for cipher in Self.ciphers {
            let path = directory.path(cipher)
            try directory.copy("id", to: cipher)
            try await Program.run("ssh-keygen", ["-q", "-p", "-P", "", "-N", "påss phrase", "-a", "1", "-Z", cipher, "-f", path])
            let file = try KeyFile.read(path: path)
            #expect(file.encryption == cipher)
            #expect(file.publicKey?.comment == "", "\(cipher): the comment is in the encrypted part")
            let key = try file.decrypted(with: SSHSecret("påss phrase"))
            #expect(key.publicKey == file.publicKey)
            #expect(key.publicKey.authorizedKeysLine + "\n" == String(decoding: try directory.bytes("id.pub"), as: UTF8.self))
            #expect(key.publicKey.comment == "alice@example")
        }
    }

    @Test("wrong passphrases are recognised", arguments: ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
    func passphraseIsJudged(cipher: String) async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "right one", options: ["-Z", cipher])
        let file = try KeyFile.read(path: path)
        for wrong in ["wrong one", "right one ", "right on"] {
            #expect(throws: SSHKeyProblem(reason: .passphraseWrong, path: path, detail: "The passphrase does not decrypt it.")) {
                try file.decrypted(with: SSHSecret(wrong))
            }
        }
        for missing in [nil, SSHSecret("")] {
            let problem = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: missing) }
            #expect(problem?.reason == .passphraseRequired)
            #expect(problem?.detail.contains(cipher) == true)
        }
    }

    /// More than one round, and keys of one, two and more blocks, exercise the whole derivation.
    @Test("limits on rounds", arguments: [1, 2, 7])
    func rounds(rounds: Int) async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(
            in: directory, passphrase: "x", options: ["-a", "\(rounds)", "-Z", "aes192-ctr"])
        let key = try KeyFile.read(path: path).decrypted(with: SSHSecret("x"))
        try await expectSignaturesVerify(key, kind: .ed25519, in: directory)
    }

    @Test("other ciphers are named", arguments: ["3des-cbc", "chacha20-poly1305@openssh.com"])
    func otherCiphersAreNamed(cipher: String) async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "x", options: ["-Z", cipher])
        let problem = #expect(throws: SSHKeyProblem.self) { try KeyFile.read(path: path) }
        #expect(problem?.reason == .cipherUnsupported)
        #expect(problem?.detail.contains(cipher) == true)
    }

    @Test("line ends do not matter") func lineEndsDoNotMatter() async throws {
        let directory = try KeyDirectory()
        let original = try KeyFile.read(path: try await KeyKind.ed25519.generate(in: directory)).publicKey
        let text = String(decoding: try directory.bytes("id"), as: UTF8.self)
        let variants = [
            "crlf": text.replacing("\n", with: "\r\n"), "cr": text.replacing("\n", with: "\r"),
            "unfinished": String(text.dropLast()), "spaces": text.replacing("\n", with: " \t\n"), "trailing": text + "note\n",
        ]
        for (name, variant) in variants {
            #expect(try KeyFile.read(path: try directory.write(variant.utf8, to: name)).publicKey == original, "\(name)")
        }
    }
}
