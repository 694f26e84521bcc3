import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// What a fleet run asks a person: everything before the first host.
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
