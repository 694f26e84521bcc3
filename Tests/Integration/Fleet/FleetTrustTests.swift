import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet trust` on a real sshd under many names, at a terminal and in scripts.
@Suite("Fleet trust") struct FleetTrustTests {
    @Test("one table, one question, one write; then there is no further question")
    func accepted() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...5 { fixture.add("h\(number)", fixture.asked("h\(number)")) }
            let result = try await fixture.person(["trust", "--all-types", "h[1-5]"]) { process in
                let place = try await process.standardOutput.wait(for: "Type yes or no: ")
                try await process.write("perhaps\r")
                try await process.standardOutput.wait(for: "Please type yes or no: ", after: place)
                try await process.write("yes\r")
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(result.output.split(separator: "FINGERPRINT").count == 2, "\(result.output)")
            for key in fixture.visibleKeys {
                let fingerprint = try SSHPublicKey(line: key.publicKey).fingerprint
                let row = result.output.split(whereSeparator: \.isNewline).filter { $0.contains(fingerprint) }
                #expect(row.count == 1 && row[0].contains("h[1-5]") && row[0].contains(" new "), "\(result.output)")
            }
            let expected = (1...5).flatMap { number in fixture.visibleKeys.map { "h\(number) \($0.publicKey)" } }
            #expect(fixture.knownLines == expected)
            // One server is asked once for each type.
            #expect(fixture.box.connectionCount == fixture.visibleKeys.count)
            let again = try await fixture.person(["trust", "h[1-5]"])
            #expect(again.exitStatus == 0 && !again.output.contains("Type yes"), "\(again.output)")
            #expect(again.output.contains("h[1-5]  known"))
            let run = try await fixture.person(["check", "--journal", "none", "h[1-5]"])
            #expect(run.exitStatus == 0, "\(run.output)")
        }
    }

    @Test("the command that a run names trusts its unknown hosts, and then the run can be resumed")
    func afterRun() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("known1")
            for number in 1...3 { fixture.add("h\(number)", fixture.asked("h\(number)")) }
            let run = try await fixture.fleet(["run", "known1,h[1-3]", "echo ran"])
            #expect(run.exitStatus == 1 && run.output == "known1: ran\n", "\(run.errorOutput)")
            // By the run's name: another run may be the last one.
            let printed = run.errorOutput.firstMatch(
                of: /\n3 hosts not known: `bridge-ssh fleet trust (?:[^`@]* )?(@run:[0-9a-z-]+:ssh\.host-key\.unknown)`\n/)
            let names = String(try #require(printed, "\(run.errorOutput)").1)
            let trust = try await fixture.person(["trust", names]) { process in
                try await process.standardOutput.wait(for: "Type yes or no: ")
                try await process.write("yes\r")
            }
            #expect(trust.exitStatus == 0, "\(trust.output)")
            let resumed = try await fixture.program(["resume", "last"])
            #expect(resumed.exitStatus == 0, "\(resumed.errorOutput)")
            #expect(resumed.output.split(separator: "\n").sorted() == ["h1: ran", "h2: ran", "h3: ran"])
        }
    }

    @Test("hosts that only an inventory knows are trusted by the commands of a run and of its report", arguments: [false, true])
    func inventoried(_ reported: Bool) async throws {
        try await FleetFixture.with { fixture in
            let known = fixture.knownFile
            let host = "ansible_host=\(fixture.box.host) ansible_port=\(fixture.box.port) ansible_user=\(SandboxUser.alice.name)"
            let lines = (1...2).map {
                "h\($0) \(host) ansible_ssh_common_args='-o UserKnownHostsFile=\(known) -o HostKeyAlias=h\($0)'"
            }
            let inventory = try fixture.write(lines.joined(separator: "\n") + "\n", to: "the hosts")
            let run = try await fixture.fleet(["run", "--inventory", inventory, "h[1-2]", "true"])
            #expect(run.exitStatus == 196, "\(run.errorOutput)")
            let report = try await fixture.program(["report", "last"])
            let said = reported ? report.output : run.errorOutput
            let printed = said.firstMatch(of: /2 hosts not known: +`(bridge-ssh fleet trust [^`]+)`/)
            let words = String(try #require(printed, "\(said)").1).replacing("\n", with: " ")
            let program = try BuiltExecutable.path("bridge-ssh-fleet")
            let prints = try fixture.visibleKeys.map { "256 \(try SSHPublicKey(line: $0.publicKey).fingerprint) x (ED25519)\n" }
            let file = try fixture.write(prints.joined(), to: "prints")
            let typed = words.replacing("bridge-ssh fleet trust", with: "\(program) trust --fingerprints \(file)")
            let trust = try await ProcessRun.run("/bin/sh", ["-c", typed], environment: fixture.environment)
            #expect(trust.exitStatus == 0, "\(typed)\n\(trust.output)\(trust.errorOutput)")
            #expect(Set(fixture.knownLines.compactMap { $0.split(separator: " ").first }) == ["h1", "h2"])
            let resumed = try await fixture.program(["resume", "last"])
            #expect(resumed.exitStatus == 0, "\(resumed.errorOutput)")
        }
    }

    @Test("a no, an end of input and no person to ask write nothing", arguments: ["no", "\u{4}", nil])
    func declined(_ answer: String?) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)", fixture.asked("h\(number)")) }
            let result =
                if let answer {
                    try await fixture.person(["trust", "h[1-3]"]) { process in
                        try await process.standardOutput.wait(for: "Type yes or no: ")
                        try await process.write(answer + "\r")
                    }
                } else { try await fixture.fleet(["trust", "h[1-3]"]) }
            #expect(result.exitStatus == 196, "\(result.output)")
            #expect((result.output + result.errorOutput).contains("[ssh.host-key.unknown]"))
            #expect(!FileManager.default.fileExists(atPath: fixture.knownFile))
        }
    }

    @Test("every state has its row; a changed key is never written over, and has its remedy")
    func states() async throws {
        try await FleetFixture.with { fixture in
            let other = try await TestKey.make(name: "another").publicKey
            let own = try #require(fixture.visibleKeys.first).publicKey
            _ = try fixture.write("bad1 \(other)\nbad2 \(other)\nold \(own)\n@revoked * \(other)\n", to: "known")
            for name in ["old", "bad1", "bad2", "new1", "new2"] { fixture.add(name, fixture.asked(name)) }
            for number in 1...3 { fixture.add("gone\(number)", port: 1) }
            let fingerprints = try fixture.visibleKeys.map { try SSHPublicKey(line: $0.publicKey).fingerprint }
            let prints = fingerprints.map { "256 \($0) root@box (ED25519)\n" }.joined()
            let file = try fixture.write("# ours\n\n" + prints, to: "prints")
            let words = ["trust", "--fingerprints", file]
            let result = try await fixture.fleet(words + ["old,bad[1-2],new[1-2],gone[1-3]"])
            #expect(result.exitStatus == 1, "\(result.errorOutput)")
            let rows = result.output.split(separator: "\n")
            for words in [
                ["old", "known"], ["gone[1-3]", "unreachable", "ssh.connect.refused"], ["bad1", "CHANGED"], ["bad2", "CHANGED"],
                ["known", "is"], ["new[1-2]", "new"],
            ] {
                #expect(
                    rows.contains { $0.split(separator: " ").map(String.init).starts(with: words) }, "\(words): \(result.output)")
            }
            let added = ["new1", "new2"].map { "\($0) \(own)" }
            #expect(Array(fixture.knownLines.dropFirst(4)) == added)
            #expect(fixture.knownLines.first == "bad1 \(other)")
            for text in [
                "[ssh.host-key.changed]", "bridge-ssh trust --update", "[ssh.connect.refused]",
                "1 known, 2 now known, 2 changed, 3 unreachable",
            ] {
                #expect(result.errorOutput.contains(text), "\(text): \(result.errorOutput)")
            }
        }
    }

    @Test("as JSON: an object for each host, following the schema of trust")
    func json() async throws {
        try await FleetFixture.with { fixture in
            // Two names of one server in one file: one line for both, and an object for each.
            fixture.add("twin1", ["UserKnownHostsFile \(fixture.knownFile)"])
            fixture.add("twin2", ["UserKnownHostsFile \(fixture.knownFile)"])
            fixture.add("gone", port: 1)
            let key = try #require(fixture.visibleKeys.first)
            let fingerprint = try SSHPublicKey(line: key.publicKey).fingerprint
            let result = try await fixture.fleet(["trust", "--json", "--yes", fingerprint, "twin[1-2],gone"])
            let lines = try result.output.split(separator: "\n").map {
                try JSON(parsing: Data($0.utf8))
            }
            for line in lines { #expect(try JSONSchema.ofTrust().faults(line) == [], "\(line)") }
            #expect(lines.map { $0["destination"]?.text } == ["twin1", "twin2", "gone"], "\(result.output)")
            #expect(lines.map { $0["outcome"]?.text } == ["succeeded", "succeeded", "failed"])
            #expect(lines.last?["error"]?["code"]?.text == "ssh.connect.refused")
            #expect(fixture.knownLines == ["[127.0.0.1]:\(fixture.box.port) \(key.publicKey)"])
            let wrong = "SHA256:" + String(repeating: "A", count: 43)
            let mistaken = try await fixture.fleet(["trust", "--yes", wrong, "twin[1-2]"])
            #expect(mistaken.exitStatus == 196, "\(mistaken.errorOutput)")
            #expect(mistaken.errorOutput.contains("no host shows \(wrong)"))
        }
    }

    @Test("unknown jump hosts come first and get one connection; hosts behind them come after")
    func jumpHosts() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("gate", fixture.asked("gate"))
            for number in 1...4 { fixture.add("h\(number)", ["ProxyJump gate"] + fixture.asked("h\(number)")) }
            let prints = try fixture.visibleKeys.map { try SSHPublicKey(line: $0.publicKey).fingerprint + "\n" }.joined()
            let file = try fixture.write(prints, to: "prints")
            let result = try await fixture.fleet(["trust", "--fingerprints", file, "h[1-4]"])
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
            let names = Set(fixture.knownLines.compactMap { $0.split(separator: " ").first.map(String.init) })
            #expect(names == ["gate", "h1", "h2", "h3", "h4"])
            #expect(fixture.knownLines.count == 5)
            let logins = fixture.box.log.text.split(separator: "\n").count { $0.contains("Accepted publickey") }
            #expect(logins == 1, "\(logins)")
        }
    }

    @Test("the key that a login would see is enough, with one connection to each server; a fingerprint of another key works too")
    func oneKey() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...30 { fixture.add("h\(number)", fixture.asked("h\(number)")) }
            let first = try await fixture.fleet(["trust", "h[1-30]"])
            #expect(first.exitStatus == 196 && first.errorOutput.contains("ssh.host-key.unknown"), "\(first.errorOutput)")
            #expect(fixture.box.connectionCount == 1)
            let second = try #require(fixture.visibleKeys.dropFirst().first)
            let fingerprint = try SSHPublicKey(line: second.publicKey).fingerprint
            let confirmed = try await fixture.fleet(["trust", "--yes", fingerprint, "h[1-30]"])
            #expect(confirmed.exitStatus == 0, "\(confirmed.errorOutput)")
            #expect(fixture.knownLines == (1...30).map { "h\($0) \(second.publicKey)" })
            #expect(fixture.box.connectionCount == 3)
        }
    }

    @Test("a hashed file gets hashed names")
    func hashed() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 {
                fixture.add("h\(number)", ["HashKnownHosts yes"] + fixture.asked("h\(number)"))
            }
            let result = try await fixture.person(["trust", "h[1-2]"]) { process in
                try await process.standardOutput.wait(for: "Type yes or no: ")
                try await process.write("yes\r")
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(fixture.knownLines.count == 2)
            #expect(fixture.knownLines.allSatisfy { $0.hasPrefix("|1|") })
            let found = try await ProcessRun.check("ssh-keygen", ["-F", "h2", "-f", fixture.knownFile])
            #expect(found.output.contains(fixture.visibleKeys[0].publicKey))
        }
    }
}
