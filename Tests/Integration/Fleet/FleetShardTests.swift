import Foundation
import SSHTestSupport
import Testing

/// `fleet plan`, `fleet run --plan` and `fleet merge` on a real sshd under many names. The hosts count for themselves.
@Suite("Fleet shards") struct FleetShardTests {
    private static let command = "echo $LC_HOST >> /tmp/ran; sleep 0.3; echo done"

    private func counts(_ box: SSHDSandbox) throws -> [String: Int] {
        let text = (try? String(contentsOf: box.temporaryDirectory.appendingPathComponent("ran"), encoding: .utf8)) ?? ""
        return Dictionary(text.split(separator: "\n").map { (String($0), 1) }, uniquingKeysWith: +)
    }

    /// The arguments that run a shard.
    private func shard(_ plan: String, _ shard: String) -> [String] { ["run", "--plan", plan, "--shard", shard] }

    @Test("the shards of a plan are one run, whose hosts each ran once")
    func whole() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...7 { fixture.add("h\(number)", port: number == 7 ? 1 : nil) }
            let plan = fixture.home.path("plan")
            let planned = try await fixture.fleet(["plan", "--shards", "3", "--to", plan, "h[1-7]", Self.command])
            #expect(planned.exitStatus == 0, "\(planned.errorOutput)")
            #expect(try counts(fixture.box).isEmpty)
            for number in [0, 2] {
                let result = try await fixture.program(shard(plan, "\(number)/3"))
                #expect(result.exitStatus == 0, "\(result.errorOutput)")
            }
            let early = try await fixture.program(["merge", plan])
            #expect(early.exitStatus == 75 && early.errorOutput.contains("not run: 1 shard (1): "), "\(early.errorOutput)")
            // The command that the message names, without the program's name.
            let missing = try #require(early.commands("fleet run").first, "\(early.errorOutput)")
            let third = try await fixture.program(missing)
            #expect(third.exitStatus == 0, "\(third.errorOutput)")
            let merged = try await fixture.program(["merge", plan])
            #expect(merged.exitStatus == 1, "\(merged.errorOutput)")
            #expect(merged.errorOutput.contains("of 3 of 3 shards: 6 ok, 1 error"), "\(merged.errorOutput)")
            #expect(try await fixture.program(["merge", plan]).errorOutput == merged.errorOutput)
            #expect(try counts(fixture.box) == Dictionary(uniqueKeysWithValues: (1...6).map { ("h\($0)", 1) }))
            #expect(try await fixture.program(["hosts", "@run:last:error"]).output == "h7\n")
            let report = try #require(merged.commands("fleet report").first, "\(merged.errorOutput)")
            #expect(try await fixture.program(report).output.contains("7 hosts"))
            let resumed = try await fixture.program(["resume", "--output", "quiet", "last"])
            #expect(resumed.errorOutput.contains("6 of 7 hosts done, 1 to run"), "\(resumed.errorOutput)")
            #expect(try counts(fixture.box).values.allSatisfy { $0 == 1 })
        }
    }

    @Test("killed again and again, by two copies of each shard, no host runs twice and none is forgotten")
    func killed() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...24 { fixture.add("h\(number)") }
            let plan = fixture.home.path("plan")
            let planned = try await fixture.fleet(
                ["plan", "--shards", "2", "--to", plan, "--parallel", "3", "h[1-24]", Self.command])
            #expect(planned.exitStatus == 0, "\(planned.errorOutput)")
            let fixture = fixture
            for round in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for copy in 0..<4 {
                        group.addTask {
                            let words = shard(plan, "\(copy % 2)/2") + ["--output", "live"]
                            let result = try await fixture.program(words) { process in
                                guard round < 4 else { return }
                                // The copy that is refused, or has nothing left, ends before that.
                                for _ in 0..<2 { _ = try? await process.standardOutput.wait(for: "done") }
                                process.send(signal: SIGKILL)
                            }
                            if case .exited(let status) = result.termination {
                                #expect([0, 75].contains(status), "\(result.errorOutput)")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            for number in 0..<2 {
                let last = try await fixture.program(shard(plan, "\(number)"))
                #expect(last.exitStatus == 0, "\(last.errorOutput)")
            }
            let merged = try await fixture.program(["merge", plan])
            let found = try counts(fixture.box)
            #expect(found.values.allSatisfy { $0 == 1 }, "\(found)")
            func hosts(_ outcome: String) async throws -> Set<String> {
                let result = try await fixture.program(["hosts", "@run:last:\(outcome)"])
                return Set(result.output.split(separator: "\n").map(String.init))
            }
            let (ok, unknown) = (try await hosts("ok"), try await hosts("unknown"))
            #expect(ok.count + unknown.count == 24 && !unknown.isEmpty, "\(merged.errorOutput)")
            #expect(ok.isSubset(of: found.keys) && Set(found.keys).isSubset(of: ok.union(unknown)))
        }
    }

    @Test("a shard whose journal is lost runs none of its hosts again")
    func lostJournal() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let plan = fixture.home.path("plan")
            _ = try await fixture.fleet(["plan", "--shards", "1", "--to", plan, "h[1-3]", Self.command])
            #expect(try await fixture.program(shard(plan, "0")).exitStatus == 0)
            for suffix in ["sqlite", "lock"] { try FileManager.default.removeItem(atPath: "\(plan)/shard-0.\(suffix)") }
            let again = try await fixture.program(shard(plan, "0"))
            #expect(again.exitStatus == 0 && again.errorOutput.contains("ssh.command.outcome-unknown"), "\(again.errorOutput)")
            #expect(try counts(fixture.box) == ["h1": 1, "h2": 1, "h3": 1])
            _ = try await fixture.program(["merge", plan])
            #expect(try await fixture.program(["hosts", "@run:last:unknown", "--fold"]).output == "h[1-3]\n")
            // As the failure's remedy says.
            let resumed = try await fixture.program(["resume", "--again", "unknown", "last"])
            #expect(resumed.exitStatus == 0, "\(resumed.errorOutput)")
            #expect(try counts(fixture.box) == ["h1": 2, "h2": 2, "h3": 2])
        }
    }

    @Test("a signal ends a shard with 75, and the shard can be continued")
    func signalled() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("h\(number)") }
            let plan = fixture.home.path("plan")
            // The second host's command waits, so that the signal comes before the last host's, however busy the machine is.
            let waiting = "\(Self.command); [ $LC_HOST = h1 ] || until [ -e /tmp/signalled ]; do sleep 0.1; done"
            _ = try await fixture.fleet(["plan", "--shards", "1", "--to", plan, "--parallel", "1", "h[1-6]", waiting])
            let signalled = fixture.box.temporaryDirectory.appendingPathComponent("signalled")
            let ended = try await fixture.program(shard(plan, "0")) { process in
                try await process.standardOutput.wait(for: "done")
                process.send(signal: SIGTERM)
            }
            try Data().write(to: signalled)
            #expect(ended.exitStatus == 75, "\(ended.termination) \(ended.errorOutput)")
            let command = try #require(ended.commands("fleet run").first, "\(ended.errorOutput)")
            #expect(try await fixture.program(command).exitStatus == 0)
            #expect(try counts(fixture.box).values.allSatisfy { $0 == 1 })
        }
    }

    @Test("a shard that a rule stopped ends with the status of a stopped run: starting it again as it is would not help")
    func stopped() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let plan = fixture.home.path("plan")
            _ = try await fixture.fleet(
                ["plan", "--shards", "1", "--to", plan, "--parallel", "1", "--fail-fast", "h[1-2]", "echo $LC_HOST >> /tmp/ran"])
            // Nothing listens there.
            let stopped = try await fixture.program(shard(plan, "0") + ["-p", "1"])
            #expect(stopped.exitStatus == 192, "\(stopped.errorOutput)")
            #expect(try await fixture.program(shard(plan, "0")).exitStatus == 0)
            #expect(try counts(fixture.box) == ["h1": 1, "h2": 1])
        }
    }

    @Test("a host runs once, even if the merged run is resumed in two places")
    func mergedTwice() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let plan = fixture.home.path("plan")
            _ = try await fixture.fleet(["plan", "--shards", "1", "--to", plan, "h1", Self.command])
            // Nothing listens there.
            let first = try await fixture.program(shard(plan, "0") + ["-p", "1"])
            #expect(first.errorOutput.contains("ssh.connect.refused"), "\(first.errorOutput)")
            let journals = ["a", "b"].map { fixture.home.path($0) }
            for journal in journals { _ = try await fixture.program(["merge", "--journal", journal, plan]) }
            var statuses: [Int32?] = []
            for journal in journals {
                statuses.append(try await fixture.program(["resume", "--journal", journal, "last"]).exitStatus)
            }
            #expect(statuses == [0, 198], "\(statuses)")
            #expect(try counts(fixture.box) == ["h1": 1])
        }
    }

    @Test("a merged run does not use the claims of a plan that replaced its own")
    func planReplaced() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let plan = fixture.home.path("plan")
            let words = ["plan", "--shards", "1", "--to", plan, "h1", Self.command]
            _ = try await fixture.fleet(words)
            _ = try await fixture.program(shard(plan, "0") + ["-p", "1"])
            _ = try await fixture.program(["merge", plan])
            try FileManager.default.removeItem(atPath: plan)
            _ = try await fixture.fleet(words)
            let resumed = try await fixture.program(["resume", "last"])
            #expect(resumed.exitStatus == 199 && resumed.errorOutput.contains("another plan by now"), "\(resumed.errorOutput)")
            #expect(try await fixture.program(shard(plan, "0")).exitStatus == 0)
            #expect(try counts(fixture.box) == ["h1": 1])
        }
    }

    @Test("options that a shard cannot follow are refused, and nothing runs")
    func options() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let plan = fixture.home.path("plan")
            let words = ["plan", "--shards", "1", "--to", plan]
            let hidden = try await fixture.fleet(words + ["--journal-command", "none", "h1", Self.command])
            #expect(hidden.exitStatus == 199 && hidden.errorOutput.contains("--journal-command"), "\(hidden.errorOutput)")
            _ = try await fixture.fleet(words + ["h1", Self.command])
            for option in [
                ["--exclude", "h1"], ["--pick", "1"], ["--order", "shuffle"], ["--hosts-file", "/nonexistent"],
                ["--stdin", "/etc/hostname"], ["--journal", "x"], ["--journal-command", "none"],
            ] {
                let result = try await fixture.program(shard(plan, "0") + option)
                #expect(result.exitStatus == 199 && result.errorOutput.contains(option[0]), "\(result.errorOutput)")
            }
            #expect(try counts(fixture.box).isEmpty)
        }
    }

    @Test("exchanged journals, a changed plan and unwritable claims give different errors")
    func refused() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)") }
            let plan = fixture.home.path("plan")
            _ = try await fixture.fleet(["plan", "--shards", "2", "--to", plan, "h[1-4]", Self.command])
            let claims = plan + "/claims"
            try FileManager.default.moveItem(atPath: claims, toPath: plan + "/away")
            let unclaimed = try await fixture.program(shard(plan, "0"))
            #expect(unclaimed.exitStatus == 75 && unclaimed.errorOutput.contains("claim"), "\(unclaimed.errorOutput)")
            #expect(try counts(fixture.box).isEmpty)
            try FileManager.default.moveItem(atPath: plan + "/away", toPath: claims)
            for number in 0..<2 { #expect(try await fixture.program(shard(plan, "\(number)")).exitStatus == 0) }
            for suffix in ["sqlite", "lock"] {
                let (one, two) = ("\(plan)/shard-0.\(suffix)", "\(plan)/shard-1.\(suffix)")
                try FileManager.default.moveItem(atPath: one, toPath: plan + "/x")
                try FileManager.default.moveItem(atPath: two, toPath: one)
                try FileManager.default.moveItem(atPath: plan + "/x", toPath: two)
            }
            let exchanged = try await fixture.program(shard(plan, "0"))
            #expect(exchanged.exitStatus == 199 && exchanged.errorOutput.contains("exchanged"), "\(exchanged.errorOutput)")
            let direct = try await fixture.program(["resume", plan + "/shard-0.sqlite"])
            #expect(direct.exitStatus == 199 && direct.errorOutput.contains("--shard"), "\(direct.errorOutput)")
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: plan + "/plan"))
            try file.seekToEnd()
            try file.write(contentsOf: Data("h5\n".utf8))
            for words in [shard(plan, "1"), ["merge", plan]] {
                let changed = try await fixture.program(words)
                #expect(changed.exitStatus == 199 && changed.errorOutput.contains("has been changed"), "\(changed.errorOutput)")
            }
        }
    }

    @Test("a plan contains no secret, and names the files that its shards read")
    func contents() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let plan = fixture.home.path("plan")
            let words = ["plan", "--shards", "2", "--to", plan]
            let secret = try await fixture.fleet(words + ["h[1-2]", "mysql -phunter2 -e x"])
            #expect(secret.exitStatus == 199 && !secret.errorOutput.contains("hunter2"), "\(secret.errorOutput)")
            let piped = try await fixture.fleet(words + ["h[1-2]", "cat"], input: .bytes(Array("x".utf8)))
            #expect(piped.exitStatus == 199 && piped.errorOutput.contains("--stdin FILE"), "\(piped.errorOutput)")
            #expect(!FileManager.default.fileExists(atPath: plan))
            let input = try fixture.write("hello\n", to: "motd")
            let planned = try await fixture.fleet(words + ["--stdin", input, "h[1-2]", "cat"])
            #expect(planned.exitStatus == 0, "\(planned.errorOutput)")
            let first = try await fixture.program(shard(plan, "0"), input: .bytes(Array("ignored".utf8)))
            #expect(first.exitStatus == 0 && first.output == "h1: hello\n", "\(first.output) \(first.errorOutput)")
            _ = try fixture.write("bye\n", to: "motd")
            let second = try await fixture.program(shard(plan, "1"))
            #expect(second.exitStatus == 199 && second.errorOutput.contains("has changed since"), "\(second.errorOutput)")
            _ = try fixture.write("hello\n", to: "motd")
            #expect(try await fixture.program(shard(plan, "1")).output == "h2: hello\n")
        }
    }

    @Test(
        "wrong arguments are named",
        arguments: [
            (["--shard", "0/1"], "--plan"), (["--plan", "PLAN"], "--shard"), (["--plan", "PLAN", "--shard", "0/2"], "1 shard"),
            (["--plan", "PLAN", "--shard", "0", "h1", "true"], "leave them out"),
            (["--plan", "PLAN", "--shard", "0", "--journal", "none"], "--journal"),
            (["--plan", "PLAN/none", "--shard", "0"], "plan"),
        ])
    func usage(words: [String], named: String) async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let plan = fixture.home.path("plan")
            _ = try await fixture.fleet(["plan", "--shards", "1", "--to", plan, "h1", "true"])
            let result = try await fixture.program(["run"] + words.map { $0.replacing("PLAN", with: plan) })
            #expect(result.exitStatus == 199 && result.errorOutput.contains(named), "\(result.errorOutput)")
        }
    }
}
