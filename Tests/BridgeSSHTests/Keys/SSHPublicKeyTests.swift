import BridgeSSH
import Testing

@Suite struct SSHPublicKeyTests {
    @Test("keys are described like ssh-keygen does", arguments: KeyKind.all + [KeyKind(type: "dsa", bits: 1024)])
    func describedAsSSHKeygenDoes(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        let path = try await kind.generate(in: directory, comment: "a comment of words")
        let line = String(decoding: try directory.bytes("id.pub"), as: UTF8.self)
        let key = try SSHPublicKey(line: line)
        #expect(key.description + "\n" == (try await Program.run("ssh-keygen", ["-l", "-f", path + ".pub"])))
        #expect(key.authorizedKeysLine + "\n" == line)
        #expect(key.comment == "a comment of words")
        #expect(try SSHPublicKey(blob: key.blob) == key, "comments do not count")
    }

    @Test(
        "lines with options",
        arguments: [
            "%", "  %", "%\r\n", #"no-pty %"#, #"command="echo \" ssh-rsa AAAA x",no-pty %"#, #"from="10.0.0.0/8 x" %"#,
            "\trestrict\t%",
        ])
    func linesWithOptions(pattern: String) async throws {
        let directory = try KeyDirectory()
        try await KeyKind.ed25519.generate(in: directory)
        let line = String(decoding: try directory.bytes("id.pub").dropLast(), as: UTF8.self)
        let key = try SSHPublicKey(line: pattern.replacing("%", with: line))
        #expect(key.authorizedKeysLine == line)
    }

    @Test(
        "lines that are not keys",
        arguments: ["", "   ", "ssh-ed25519", "ssh-ed25519 AAAA", "ssh-ed25519 !!!! x", "# comment", "a b c d e"])
    func linesThatAreNone(line: String) {
        #expect(throws: SSHPublicKeyError.self) { try SSHPublicKey(line: line) }
    }

    @Test("name and data must agree") func nameAndDataMustAgree() async throws {
        let directory = try KeyDirectory()
        try await KeyKind.ed25519.generate(in: directory)
        let line = String(decoding: try directory.bytes("id.pub"), as: UTF8.self)
        #expect(throws: SSHPublicKeyError.self) { try SSHPublicKey(line: line.replacing("ssh-ed25519", with: "ssh-rsa")) }
    }

    @Test("broken blobs", arguments: KeyKind.all)
    func brokenBlobs(kind: KeyKind) async throws {
        let directory = try KeyDirectory()
        try await kind.generate(in: directory)
        let key = try SSHPublicKey(line: String(decoding: try directory.bytes("id.pub"), as: UTF8.self))
        for count in 0..<key.blob.count {
            #expect(throws: SSHPublicKeyError.self, "cut at \(count)") { try SSHPublicKey(blob: key.blob.prefix(count)) }
        }
        #expect(throws: SSHPublicKeyError.self) { try SSHPublicKey(blob: key.blob + [0]) }
    }

    @Test("types that are only named") func kindsThatAreOnlyNamed() throws {
        var blob = SSHWireWriter()
        blob.string("sk-ssh-ed25519@openssh.com")
        blob.string("whatever")
        let key = try SSHPublicKey(blob: blob.bytes)
        #expect(key.displayName == "ED25519-SK")
        #expect(signatureAlgorithms(for: key, serverOffers: nil).isEmpty)
        #expect(PublicKeyAlgorithm.displayName(of: "rsa-sha2-512") == "rsa-sha2-512")
    }

    @Test("algorithms to sign with") func algorithmsToSignWith() async throws {
        let directory = try KeyDirectory()
        try await KeyKind(type: "rsa", bits: 1024).generate(in: directory)
        let rsa = try SSHPublicKey(line: String(decoding: try directory.bytes("id.pub"), as: UTF8.self))
        let both = ["rsa-sha2-512", "rsa-sha2-256"]
        #expect(signatureAlgorithms(for: rsa, serverOffers: nil) == both)
        #expect(signatureAlgorithms(for: rsa, serverOffers: nil, allowingSHA1: true) == both + ["ssh-rsa"])
        #expect(signatureAlgorithms(for: rsa, serverOffers: ["ssh-rsa", "rsa-sha2-256"]) == ["rsa-sha2-256"])
        #expect(signatureAlgorithms(for: rsa, serverOffers: ["ssh-rsa"]) == [])
        #expect(signatureAlgorithms(for: rsa, serverOffers: ["ssh-rsa"], allowingSHA1: true) == ["ssh-rsa"])
        try await KeyKind.ed25519.generate(in: directory, name: "ed")
        let ed25519 = try SSHPublicKey(line: String(decoding: try directory.bytes("ed.pub"), as: UTF8.self))
        #expect(signatureAlgorithms(for: ed25519, serverOffers: ["rsa-sha2-256"]) == ["ssh-ed25519"])
    }
}
