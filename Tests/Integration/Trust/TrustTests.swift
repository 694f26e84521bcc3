import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh trust` against a real sshd, at a terminal and in scripts.
@Suite("Trusting a host")
struct TrustTests {
    @Test("a person sees every key as in ssh-keygen, says yes, and is not asked again")
    func accepted() async throws {
        try await TrustRun.with { run in
            let first = try await run.person("maybe", "yes", options: ["--all-types"])
            #expect(first.exitStatus == 0, "\(first.output)")
            for key in run.visible {
                #expect(first.output.contains(try await run.fingerprint(of: key)))
                for line in try await run.picture(of: key) { #expect(first.output.contains(line), "\(line)") }
            }
            #expect(first.output.contains("ssh-rsa could not be obtained") != InstalledLibrary.is111)
            #expect(run.lines.sorted() == run.visible.map(run.line).sorted())
            let again = try await run.person(options: ["--all-types"])
            #expect(again.exitStatus == 0 && !again.output.contains("Type yes"), "\(again.output)")
            #expect(again.output.contains("known: \(run.file):1"))
            // A run then succeeds without further options.
            var testRun = try await run.box.testRun()
            testRun.knownHosts = [run.file]
            try await testRun.check(.success)
        }
    }

    @Test("one connection shows the key that a login would see; with it a login succeeds, and the other types are named")
    func first() async throws {
        try await TrustRun.with { run in
            let before = run.box.connectionCount
            let result = try await run.person("yes")
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(run.box.connectionCount == before + 1)
            #expect(run.lines.count == 1)
            #expect(run.visible.count == 1 || result.output.contains("--all-types"), "\(result.output)")
            var testRun = try await run.box.testRun()
            testRun.knownHosts = [run.file]
            try await testRun.check(.success)
        }
    }

    @Test("a no, an end of input and no person to ask write nothing", arguments: ["no", "\u{4}", nil])
    func declined(_ answer: String?) async throws {
        try await TrustRun.with { run in
            let result = if let answer { try await run.person(answer) } else { try await run.batch() }
            #expect(result.exitStatus == 196)
            #expect((result.output + result.errorOutput).contains("ssh.host-key.unknown"))
            #expect(!FileManager.default.fileExists(atPath: run.file))
        }
    }

    @Test("a fingerprint accepts its own key alone, typed or as an option", arguments: [true, false])
    func oneKey(isTyped: Bool) async throws {
        try await TrustRun.with { run in
            let key = try #require(run.visible.last)
            let fingerprint = try await run.fingerprint(of: key)
            let result =
                isTyped
                ? try await run.person(fingerprint, options: ["--all-types"]) : try await run.batch("--yes", fingerprint)
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(run.lines == [run.line(key)])
        }
    }

    @Test("a fingerprint that the host does not show writes nothing, not even of a host that is known")
    func wrongFingerprint() async throws {
        let wrong = "SHA256:" + String(repeating: "A", count: 43)
        try await TrustRun.with { run in
            let key = try #require(run.visible.first)
            let right = try await run.fingerprint(of: key)
            let result = try await run.batch("--yes", wrong, "--yes", right)
            #expect(result.exitStatus == 196 && result.errorOutput.contains("did not present a key with the fingerprint"))
            #expect(run.lines.isEmpty)
            #expect(try await run.json("--yes", right)["outcome"] == .string("succeeded"))
            let known = try await run.json("--yes", wrong)
            #expect(known["error"]?["code"] == .string("ssh.host-key.unknown"))
            #expect(run.lines == [run.line(key)])
            let misspelt = try await run.batch("--yes", "SHA256:short")
            #expect(misspelt.exitStatus == 199 && misspelt.errorOutput.contains("is not a fingerprint"))
        }
    }

    @Test("a hashed file gets hashed lines, which ssh-keygen finds")
    func hashed() async throws {
        try await TrustRun.with { run in
            try run.scratch.write("other \(run.box.clientKey.publicKey)\n", to: "known")
            try await ProcessRun.check("ssh-keygen", ["-q", "-H", "-f", run.file])
            #expect(try await run.person("yes", options: ["--all-types"]).exitStatus == 0)
            #expect(run.lines.allSatisfy { $0.hasPrefix("|1|") } && run.lines.count == 1 + run.visible.count)
            let found = try await ProcessRun.check("ssh-keygen", ["-F", run.name, "-f", run.file])
            #expect(found.output.contains(run.visible[0].publicKey))
        }
    }

    // MARK: A changed key

    private func changed(_ body: (TrustRun, TestKey, TestKey) async throws -> Void) async throws {
        let old = try await TestKey.make(.ed25519, name: "the old one")
        try await TrustRun.with(SSHDSandbox.Options("MaxStartups 100", hostKeys: [.ed25519])) { run in
            try run.scratch.write("other,\(run.name) \(old.publicKey) note\n# end\n", to: "known")
            try await body(run, old, try #require(run.visible.first))
        }
    }

    @Test("a changed key is shown with both fingerprints and refused, whatever the other answers")
    func changedKey() async throws {
        try await changed { run, old, new in
            let before = run.lines
            let result = try await run.batch("--yes", try await run.fingerprint(of: new))
            #expect(result.exitStatus == 196 && result.errorOutput.contains("ssh.host-key.changed"))
            #expect(result.errorOutput.contains("trust --update"))
            for key in [old, new] { #expect(result.output.contains(try await run.fingerprint(of: key))) }
            #expect(result.output.contains("\(run.file):1"))
            #expect(run.lines == before)
        }
    }

    @Test("--update asks with both fingerprints, and the new key takes the old one's place")
    func update() async throws {
        try await changed { run, old, new in
            let before = run.lines
            let declined = try await run.person("no", options: ["--update"])
            #expect(declined.exitStatus == 196 && run.lines == before)
            let result = try await run.person("yes", options: ["--update"])
            #expect(result.exitStatus == 0, "\(result.output)")
            for key in [old, new] { #expect(result.output.contains(try await run.fingerprint(of: key))) }
            #expect(run.lines == ["other \(old.publicKey) note", "# end", run.line(new)])
            #expect(try String(contentsOfFile: run.file + ".old", encoding: .utf8).hasPrefix("other,"))
        }
    }

    @Test("if known_hosts is a link, the reported path is the real file") func linked() async throws {
        try await changed { run, old, _ in
            try FileManager.default.createDirectory(atPath: run.scratch.path("real"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: run.file, toPath: run.scratch.path("real/hosts"))
            try FileManager.default.createSymbolicLink(atPath: run.file, withDestinationPath: "real/hosts")
            let result = try await run.batch("--remove")
            #expect(result.exitStatus == 0 && result.output.contains("from \(run.file):1"), "\(result.output)")
            let kept = run.scratch.path("real/hosts.old")
            #expect(result.output.contains("The old \(run.file) is kept as \(kept)\n"), "\(result.output)")
            #expect(try String(contentsOfFile: kept, encoding: .utf8).contains(old.publicKey))
            #expect(!FileManager.default.fileExists(atPath: run.file + ".old"))
        }
    }

    @Test("--update with a fingerprint works in scripts, and is reported in JSON")
    func updateInScript() async throws {
        try await changed { run, old, new in
            #expect(try await run.json("--update")["error"]?["code"] == .string("ssh.host-key.changed"))
            let object = try await run.json("--update", "--yes", try await run.fingerprint(of: new))
            let key = object["keys"]?.items.first
            #expect(key?["action"] == .string("replaced") && key?["knownHosts"]?["verdict"] == .string("changed"))
            #expect(object["removed"]?.items.first?["fingerprint"] == .string(try await run.fingerprint(of: old)))
        }
    }

    @Test("a revoked key is never written")
    func revoked() async throws {
        try await TrustRun.with(SSHDSandbox.Options("", hostKeys: [.ed25519])) { run in
            let key = try #require(run.visible.first)
            try run.scratch.write("@revoked * \(key.publicKey)\n", to: "known")
            let result = try await run.batch("--update", "--yes", try await run.fingerprint(of: key))
            #expect(result.exitStatus == 196 && result.errorOutput.contains("ssh.host-key.revoked"))
            #expect(run.lines.count == 1)
        }
    }

    // MARK: Removing

    @Test("--remove forgets the host and nothing else, without asking it")
    func remove() async throws {
        try await TrustRun.with(SSHDSandbox.Options("", hostKeys: [.ed25519])) { run in
            let key = try #require(run.visible.first)
            try run.scratch.write("\(run.line(key))\nother \(key.publicKey) kept\n@revoked \(run.line(key))\n", to: "known")
            let connections = run.box.connectionCount
            let result = try await run.batch("--remove")
            #expect(result.exitStatus == 0 && result.output.contains("Removed: ED25519 256 SHA256:"), "\(result.output)")
            #expect(run.lines == ["other \(key.publicKey) kept", "@revoked \(run.line(key))"])
            #expect(run.box.connectionCount == connections)
            let nothing = try await run.json("--remove")
            #expect(nothing["removed"]?.items.isEmpty == true && nothing["outcome"] == .string("succeeded"))
            #expect(try await run.batch("--remove", "--update").exitStatus == 199)
        }
    }

    // MARK: The way there

    @Test("a host that cannot be reached fails as a run does, in JSON too")
    func unreachable() async throws {
        try await ScratchDirectory.with { scratch in
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"),
                ["trust", "-F", "none", "--agent", "none", "--batch", "--json", "-p", "1", "127.0.0.1"],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]))
            let object = try JSON(parsing: Data(result.standardOutput))
            #expect(result.exitStatus == 193 && object["error"]?["code"] == .string("ssh.connect.refused"))
            #expect(try JSONSchema.ofTrust().faults(object) == [])
        }
    }

    @Test("hosts behind jump hosts: the jump hosts' keys must be known, and each gets one login")
    func throughJumpHosts() async throws {
        let chain = try await Chain.plain(3)
        let last = try #require(chain.hops.last)
        var configuration = chain.configuration
        configuration.knownHosts = SSHKnownHostsFiles(user: [])
        let endpoint = SSHEndpoint(unchecked: last.host, port: last.port, user: last.user)
        let scan = try await SSHClient.hostKeys(of: endpoint, configuration: configuration)
        #expect(scan.offers.count == (InstalledLibrary.is111 ? 3 : 2))
        for offer in scan.offers {
            guard case .unknown = offer.verdict else {
                Issue.record("\(offer.verdict)")
                return
            }
        }
        configuration.jumpHosts[0].configuration.knownHosts = SSHKnownHostsFiles(user: [])
        let error = await #expect(throws: SSHError.self) {
            try await SSHClient.hostKeys(of: endpoint, configuration: configuration)
        }
        #expect(error?.code == .hostKeyUnknown && error?.evidence.hop?.number == 1)
    }

    @Test(
        "on a full disk no key is added, and the file is as it was",
        arguments: [(String(repeating: "x", count: 4000), 4050), ("", 20)])
    func fullDisk(old: String, limit: Int) async throws {
        try await TrustRun.with(SSHDSandbox.Options("MaxStartups 100", hostKeys: [.ed25519])) { run in
            if !old.isEmpty { try run.scratch.write("# \(old)\n", to: "known") }
            let fingerprint = try await run.fingerprint(of: try #require(run.visible.first))
            let files = try FileManager.default.contentsOfDirectory(atPath: run.scratch.url.path)
            let result = try await run.batch("--yes", fingerprint, fileLimit: limit)
            #expect(result.exitStatus == 199)
            #expect(result.errorOutput.contains("ssh.host-key.known-hosts-unwritable"), "\(result.errorOutput)")
            #expect(result.errorOutput.contains("EFBIG"), "\(result.errorOutput)")
            #expect(run.lines == (old.isEmpty ? [] : ["# \(old)"]))
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: run.scratch.url.path)) == Set(files))
        }
    }
}

extension SSHDSandbox.Options {
    init(_ configuration: String, hostKeys: [TestKeyKind]) {
        self.init(configuration)
        self.hostKeys = hostKeys
    }
}
