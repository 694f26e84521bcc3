import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// A fleet run's questions, all of them before the first host.
@Suite("Questions before a fleet run") struct FleetQuestionTests {
    @Test("unknown host keys are asked about once, before the first host", arguments: [true, false])
    func hostKeys(isAccepted: Bool) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("new\(number)", fixture.asked("new\(number)")) }
            for number in 1...3 { fixture.add("h\(number)") }
            // --yes is not an answer to a question about keys.
            let result = try await fixture.person(["run", "--yes", "--journal", "none", "new[1-3],h[1-3]", "echo ran"]) {
                process in
                let seen = try await process.standardOutput.wait(for: "Type yes or no: ")
                #expect(seen > 0)
                try await process.write(isAccepted ? "yes\r" : "no\r")
            }
            let parts = result.output.components(separatedBy: "Type yes or no: ")
            #expect(parts.count == 2, "\(result.output)")
            #expect(parts[0].contains("new[1-3]") && !parts[0].contains(": ran"), "\(result.output)")
            for number in 1...3 {
                #expect(result.output.contains("h\(number): ran"))
                #expect(result.output.contains("new\(number): ran") == isAccepted, "\(result.output)")
            }
            #expect(result.output.contains("[ssh.host-key.unknown]") != isAccepted)
            #expect(result.exitStatus == (isAccepted ? 0 : 1))
            #expect(fixture.knownLines.count == (isAccepted ? 3 : 0))
        }
    }

    @Test("without a person unknown hosts are refused, and the others run")
    func unattended() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("new", fixture.asked("new"))
            fixture.add("old")
            let lines = try FleetLines(
                try await fixture.fleet(["run", "--output", "jsonl", "--journal", "none", "new,old", "true"]))
            #expect(lines.outcome(of: "old") == "ok" && lines.code(of: "new") == "ssh.host-key.unknown")
            #expect(fixture.knownLines.isEmpty)
        }
    }

    @Test(
        "several names of one server cost one connection without a login: sshd 9.8 penalises more",
        arguments: ["libssh2", "ssh"])
    func oneServer(_ client: String) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...40 { fixture.add("new\(number)", fixture.asked("new\(number)")) }
            fixture.add("old")
            let fingerprint = try SSHPublicKey(line: try #require(fixture.visibleKeys.first).publicKey).fingerprint
            let lines = try FleetLines(
                try await fixture.fleet([
                    "run", "--via", client, "--output", "jsonl", "--journal", "none", "new[1-40],old", "true",
                ]))
            for number in 1...40 {
                #expect(lines.code(of: "new\(number)") == "ssh.host-key.unknown")
                let error = lines.ends["new\(number)"]?.first?["result"]?["error"]
                #expect(error?["message"]?.text?.hasPrefix("new\(number) ") == true)
                #expect(error?["evidence"]?["hostKey"]?["fingerprint"]?.text == fingerprint)
            }
            #expect(lines.outcome(of: "old") == "ok")
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("hosts with changed keys are refused by the key seen at their address; others are asked about")
    func changedServer() async throws {
        let other = try await TestKey.make(name: "another").publicKey
        try await FleetFixture.with { fixture in
            let own = try #require(fixture.visibleKeys.first).publicKey
            let known = (1...12).map { "bad\($0) \(other)\n" }.joined() + "good \(own)\n"
            _ = try fixture.write(known, to: "known")
            for number in 1...12 { fixture.add("bad\(number)", fixture.asked("bad\(number)")) }
            fixture.add("good", fixture.asked("good"))
            let words = ["run", "--parallel", "1", "--output", "jsonl", "--journal", "none", "bad[1-12],good", "true"]
            let lines = try FleetLines(try await fixture.fleet(words))
            for number in 1...12 { #expect(lines.code(of: "bad\(number)") == "ssh.host-key.changed") }
            #expect(lines.outcome(of: "good") == "ok")
            #expect(fixture.box.connectionCount == 2)
        }
    }

    @Test("the passphrase of a key is asked for once, for all hosts, and a wrong one again")
    func passphrase() async throws {
        let key = try await TestKey.make(passphrase: "correct horse")
        var options = FleetFixture.options
        options.authorize(key, for: .alice)
        try await FleetFixture.with(options) { fixture in
            for number in 1...12 { fixture.add("h\(number)", ["IdentitiesOnly yes"]) }
            let file = try fixture.box.identityFile(key)
            let words = ["run", "-i", file, "-o", "IdentityFile=none", "--journal", "none", "h[1-12]", "echo ran"]
            let result = try await fixture.person(words) { process in
                let first = try await process.standardOutput.wait(for: "Passphrase for ")
                try await process.write("wrong\r")
                try await process.standardOutput.wait(for: "Passphrase for ", after: first)
                try await process.write("correct horse\r")
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(result.output.components(separatedBy: "Passphrase for ").count == 3)
            #expect(result.output.components(separatedBy: ": ran").count == 13)
            #expect(!result.output.contains("correct horse"))
        }
    }

    @Test("three wrong passphrases end the run before the first host")
    func wrongPassphrase() async throws {
        let key = try await TestKey.make(passphrase: "correct horse")
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let file = try fixture.box.identityFile(key)
            let before = fixture.box.connectionCount
            let result = try await fixture.person(["run", "-i", file, "--journal", "none", "h1", "true"]) { process in
                var place = 0
                for _ in 1...3 {
                    place = try await process.standardOutput.wait(for: "Passphrase for ", after: place)
                    try await process.write("wrong\r")
                }
            }
            #expect(result.exitStatus == 199 && result.output.contains("ssh.key.passphrase-wrong"), "\(result.output)")
            #expect(fixture.box.connectionCount == before)
        }
    }
}
