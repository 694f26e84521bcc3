import BridgeSSH
import Foundation
import Testing

@testable import SSHKeys
@testable import SSHModel

@Suite struct KeyFileTests {
    @Test("open file modes are refused", arguments: [0o640, 0o604, 0o644, 0o660, 0o601, 0o777])
    func openModesAreRefused(mode: Int) async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let problem = #expect(throws: SSHKeyProblem.self) { try KeyFile.read(path: path) }
        #expect(problem?.reason == .permissionsTooOpen)
        #expect(problem?.detail.contains("0" + String(mode, radix: 8)) == true)
        let theirs = try await Program.output(of: "ssh-keygen", ["-y", "-f", path])
        #expect(theirs.status != 0, "OpenSSH refuses it too")
    }

    @Test("closed file modes are accepted", arguments: [0o400, 0o600, 0o700])
    func closedModesAreTaken(mode: Int) async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(try KeyFile.read(path: path).publicKey != nil)
    }

    @Test("remedies quote the file for a shell") func remediesQuoteTheFileForAShell() {
        let defect = KeyDefect(.permissionsTooOpen, "`chmod 600 {file}`")
        #expect(defect.problem(path: "/a/b-c_d.1").detail == "`chmod 600 /a/b-c_d.1`")
        #expect(defect.problem(path: "/my key's").detail == #"`chmod 600 '/my key'\''s'`"#)
    }

    @Test("only the caller's own files are checked for their mode") func onlyTheCallersOwnFilesAreJudgedByMode() {
        #expect(KeyFileReading.permissionDefect(mode: 0o644, owner: 1000, caller: 0) == nil)
        #expect(KeyFileReading.permissionDefect(mode: 0o644, owner: 1000, caller: 1000)?.reason == .permissionsTooOpen)
        #expect(KeyFileReading.permissionDefect(mode: 0o044, owner: 0, caller: 0)?.detail.contains("0044") == true)
    }

    @Test("another key's .pub file next to a key with an unencrypted public half")
    func anotherKeysPublicHalfBesideAKeyThatSaysItsOwn() async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "pass phrase")
        try await KeyKind.ed25519.generate(in: directory, name: "other")
        try directory.write(try directory.bytes("other.pub"), to: "id.pub")
        let file = try KeyFile.read(path: path)
        #expect(file.notice?.reason == .publicKeyMismatch)
        #expect(try file.decrypted(with: SSHSecret("pass phrase")).publicKey == file.publicKey)
    }

    @Test("another key's .pub file next to a key with an encrypted public half")
    func anotherKeysPublicHalfBesideAKeyThatHidesItsOwn() async throws {
        let directory = try KeyDirectory()
        let kind = KeyKind(type: "rsa", bits: 1024)
        let path = try await kind.generate(in: directory, passphrase: "pass phrase", options: ["-m", "PEM"])
        try await KeyKind.ed25519.generate(in: directory, name: "other")
        try directory.write(try directory.bytes("other.pub"), to: "id.pub")
        let file = try KeyFile.read(path: path)
        #expect(file.publicKey?.algorithm == "ssh-ed25519")
        let problem = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: SSHSecret("pass phrase")) }
        #expect(problem?.reason == .publicKeyMismatch)
    }

    @Test("bad public files are ignored") func badPublicFilesAreIgnored() async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory)
        for content in ["", "garbage\n", "ssh-ed25519 AAAA\n"] {
            try directory.write(content.utf8, to: "id.pub")
            #expect(try KeyFile.read(path: path).notice == nil)
        }
    }

    /// OpenSSH's format allows several keys, although ssh-keygen writes one.
    @Test("the first of several keys is used") func theFirstOfSeveralKeysIsUsed() async throws {
        let directory = try KeyDirectory()
        try await KeyKind.ed25519.generate(in: directory, name: "one")
        try await KeyKind.ed25519.generate(in: directory, name: "two")
        let parts = try ["one", "two"].map { name in
            let lines = String(decoding: try directory.bytes(name), as: UTF8.self).split(separator: "\n")
            let body = try #require(Base64.decode(lines.dropFirst().dropLast().joined().utf8))
            var reader = SSHWireReader(body.dropFirst(15))
            for _ in 0..<3 { _ = try reader.string() }
            _ = try reader.uint32()
            let publicBlob = try reader.string()
            var section = SSHWireReader(try reader.string())
            _ = try section.uint64()
            return (publicBlob, section.remaining)
        }
        var file = SSHWireWriter()
        file.raw("openssh-key-v1\0".utf8)
        for text in ["none", "none", ""] { file.string(text) }
        file.uint32(2)
        for part in parts { file.string(part.0) }
        // Each section has its own padding, so only the first can be read. The test depends on that.
        file.string([UInt8](repeating: 7, count: 8) + parts[0].1 + parts[1].1)
        let text = "-----BEGIN OPENSSH PRIVATE KEY-----\n\(Base64.encode(file.bytes))\n-----END OPENSSH PRIVATE KEY-----\n"
        let key = try KeyFile.read(path: try directory.write(text.utf8, to: "both")).decrypted(with: nil)
        #expect(key.publicKey.blob == Array(parts[0].0))
    }

    @Test("default identities are those of ssh") func identitiesAreThoseOfSSH() async throws {
        let theirs = try await Program.run("ssh", ["-F", "none", "-G", "host"]).split(separator: "\n")
            .filter { $0.hasPrefix("identityfile ") }.map { $0.dropFirst("identityfile ".count).replacing("~", with: "/home/a") }
            .map(String.init)
            .filter { !$0.hasSuffix("_xmss") && !$0.hasSuffix("_dsa") }
        #expect(defaultIdentityPaths(home: "/home/a").sorted() == theirs.sorted())
        let names = ["id_rsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk"]
        #expect(defaultIdentityPaths(home: "/home/a/") == names.map { "/home/a/.ssh/" + $0 }, "the order of OpenSSH 9.2")
    }

    /// The key is derived once, and another passphrase is still checked.
    @Test("a key is decrypted once for all uses") func openedOnceForAll() async throws {
        let directory = try KeyDirectory()
        let path = try await KeyKind.ed25519.generate(in: directory, passphrase: "right", options: ["-a", "2"])
        let file = try KeyFile.read(path: path)
        let key = try file.decrypted(with: SSHSecret("right"))
        #expect(try file.decrypted(with: SSHSecret("right")).publicKey == key.publicKey)
        for wrong in ["wrong", "righ", "right "] {
            let problem = #expect(throws: SSHKeyProblem.self) { try file.decrypted(with: SSHSecret(wrong)) }
            #expect(problem?.reason == .passphraseWrong)
        }
        #expect(#expect(throws: SSHKeyProblem.self) { try file.decrypted(with: nil) }?.reason == .passphraseRequired)
        #expect(try file.decrypted(with: SSHSecret("right")).publicKey == key.publicKey)
    }
}
