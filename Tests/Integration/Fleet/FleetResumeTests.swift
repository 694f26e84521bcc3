import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet resume` and `fleet list` on a real sshd under many names. The hosts count for themselves.
@Suite("Fleet resume") struct FleetResumeTests {
    private static let command = "echo $LC_HOST >> /tmp/ran; sleep 0.5; echo done"

    private func counts(_ box: SSHDSandbox) throws -> [String: Int] {
        let text = (try? String(contentsOf: box.temporaryDirectory.appendingPathComponent("ran"), encoding: .utf8)) ?? ""
        return Dictionary(text.split(separator: "\n").map { (String($0), 1) }, uniquingKeysWith: +)
    }

    @Test("killed again and again, a run comes to its end: no host twice, none forgotten")
    func killed() async throws {
        try await FleetFixture.with { fixture in
            let names = (1...40).map { "h\($0)" }
            for name in names { fixture.add(name) }
            let kill: @Sendable (RunningProcess) async throws -> Void = { process in
                for _ in 0..<3 { try await process.standardOutput.wait(for: "done") }
                process.send(signal: SIGKILL)
            }
            let begun = try await fixture.fleet(["run", "--parallel", "5", "h[1-40]", Self.command], body: kill)
            #expect(begun.termination == .signalled(SIGKILL))
            #expect(try await fixture.program(["list"]).output.contains("interrupted"))
            for _ in 0..<2 {
                let again = try await fixture.resume(["last"], body: kill)
                #expect(again.termination == .signalled(SIGKILL), "\(again.errorOutput)")
            }
            let last = try await fixture.resume(["--output", "jsonl", "last"])
            let found = try counts(fixture.box)
            #expect(found.values.allSatisfy { $0 == 1 }, "\(found)")
            // Hosts were under way each time it was killed.
            #expect(last.exitStatus == 1, "\(last.errorOutput)")
            let whole = try FleetLines(last).whole
            #expect(whole.values.reduce(0, +) == 40 && whole["unknown", default: 0] > 0, "\(whole)")
            #expect(whole["ok", default: 0] + whole["unknown", default: 0] == 40, "\(whole)")
            let withheld = names.filter { found[$0] == nil }
            #expect(withheld.isEmpty || last.errorOutput.contains("left out"))
            // Those that were left out and ran nothing after all.
            if !withheld.isEmpty {
                let unknown = try await fixture.program(["hosts", "@run:last:unknown"]).output.split(separator: "\n").map(
                    String.init)
                #expect(Set(withheld).isSubset(of: unknown), "\(withheld) and \(unknown)")
            }
            let none = try await fixture.resume(["--output", "jsonl", "last"])
            #expect(none.errorOutput.contains("none left to run") && none.exitStatus == 1, "\(none.errorOutput)")
            #expect(try FleetLines(none).ends.isEmpty && FleetLines(none).whole == whole)
            #expect(none.errorOutput.contains("the whole run, 40 hosts: "), "\(none.errorOutput)")
            #expect(try await fixture.program(["list"]).output.contains("exit 1"))
        }
    }

    @Test("hosts that could not be reached are run by a resumed run, those that failed only if it is asked for")
    func errors() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)", port: number == 4 ? 1 : nil) }
            let command = "echo $LC_HOST >> /tmp/ran; test $LC_HOST != h3"
            let first = try await fixture.fleet(["run", "--output", "quiet", "h[1-4]", command])
            #expect(first.errorOutput.contains("1 host did not run it: `bridge-ssh fleet resume last`"), "\(first.errorOutput)")
            #expect(try await fixture.program(["hosts", "@run:last:failed"]).output == "h3\n")
            let others = try await fixture.program(["hosts", "@run:last:ok,@run:last:ssh.connect.*", "--fold"])
            #expect(others.output == "h[1-2,4]\n")
            let misplaced = try await fixture.resume(["last", "--output", "quiet"])
            #expect(
                misplaced.exitStatus == 199 && misplaced.errorOutput.contains("stand before the run"), "\(misplaced.errorOutput)")
            let unknown = try await fixture.program(["hosts", "@run:last:odd"])
            #expect(unknown.exitStatus == 199 && unknown.errorOutput.contains("@run:last:failed"), "\(unknown.errorOutput)")
            let resumed = try FleetLines(try await fixture.resume(["--output", "jsonl", "last"]))
            #expect(resumed.outcomes == ["ok": 0, "failed": 0, "error": 1, "unknown": 0, "skipped": 0])
            #expect(try counts(fixture.box) == ["h1": 1, "h2": 1, "h3": 1])
            let again = try FleetLines(try await fixture.resume(["--again", "failed", "--output", "jsonl", "last"]))
            #expect(again.ends.keys.sorted() == ["h3", "h4"])
            #expect(try counts(fixture.box) == ["h1": 1, "h2": 1, "h3": 2])
        }
    }

    @Test("the exit status is that of the whole run, and a rule that counted all of its hosts does not hinder the rest")
    func status() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("h\(number)", port: number > 4 ? 1 : nil) }
            let run = ["run", "--output", "jsonl", "--stop", "error=3", "h[1-6]", "test $LC_HOST != h1"]
            #expect(try await fixture.fleet(run).exitStatus == 1)
            // The two come back.
            var whole = fixture
            whole.replace(port: 1, with: fixture.box.port)
            _ = try await whole.words(run)
            let resumed = try await whole.resume(["--output", "jsonl", "last"])
            let lines = try FleetLines(resumed)
            #expect(lines.ends.keys.sorted() == ["h5", "h6"] && lines.outcomes["ok"] == 2, "\(resumed.errorOutput)")
            #expect(lines.objects.last?["hosts"] == .integer(2) && lines.objects.last?["exitStatus"] == .integer(1))
            #expect(lines.whole == ["ok": 5, "failed": 1, "error": 0, "unknown": 0, "skipped": 0])
            #expect(resumed.exitStatus == 1, "\(resumed.errorOutput)")
            for text in ["2 hosts in ", "the whole run, 6 hosts: 5 ok, 1 failed"] {
                #expect(resumed.errorOutput.contains(text), "\(resumed.errorOutput)")
            }
            #expect(try await whole.resume(["--quiet", "last"]).exitStatus == 1)
        }
    }

    @Test("of two processes that go on with one run, one is refused")
    func twice() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...8 { fixture.add("h\(number)", port: 1) }
            #expect(try await fixture.fleet(["run", "--output", "quiet", "h[1-8]", Self.command]).exitStatus == 193)
            fixture.replace(port: 1, with: fixture.box.port)
            _ = try await fixture.words(["run"])
            let other = fixture
            let first = try await fixture.resume(["--parallel", "1", "last"]) { process in
                try await process.standardOutput.wait(for: "done")
                let second = try await other.resume(["last"])
                #expect(second.exitStatus == 199, "\(second.errorOutput)")
            }
            #expect(first.exitStatus == 0, "\(first.errorOutput)")
            #expect(try counts(fixture.box).count == 8 && counts(fixture.box).values.allSatisfy { $0 == 1 })
        }
    }

    @Test("a secret is not in the journal, so the words are needed again; other words are refused")
    func words() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1", port: 1)
            let run = ["run", "--env", "LC_TOKEN=canary-1234567890", "h1", "true"]
            _ = try await fixture.fleet(run)
            let refused = try await fixture.resume(["last"])
            #expect(refused.exitStatus == 199)
            #expect(refused.errorOutput.contains("write them again"), "\(refused.errorOutput)")
            let resumed = try await fixture.resume(["--output", "quiet", "last", "--"] + (try await fixture.words(run)))
            #expect(resumed.errorOutput.contains("1 to run"), "\(resumed.errorOutput)")
            let other = try await fixture.resume(["last", "--"] + (try await fixture.words(["run", "h1", "false"])))
            #expect(other.exitStatus == 199)
            // The banner breaks its lines.
            let text = other.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("its command was another one: true"), "\(other.errorOutput)")
        }
    }

    @Test("what is no run is named, with status 199")
    func missing() async throws {
        try await FleetFixture.with { fixture in
            for words in [["last"], ["1999"], ["./no.sqlite"], ["--journal", "none", "last"], ["--again", "ok", "last"]] {
                let result = try await fixture.resume(words)
                #expect(result.exitStatus == 199, "\(words): \(result.errorOutput)")
            }
            #expect(try await fixture.program(["list"]).exitStatus == 0)
        }
    }
}

extension FleetFixture {
    /// `fleet resume`: the run's own words name the configuration.
    fileprivate func resume(
        _ words: [String], body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await program(["resume"] + words, body: body)
    }
}
