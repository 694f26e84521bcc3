import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet resume` and `fleet list` on a real sshd under many names. The hosts themselves count their runs.
@Suite("Fleet resume") struct FleetResumeTests {
    /// The hosts after those that /tmp/pass counts are under way as long as /tmp/hold is there.
    private static let command =
        "echo $LC_HOST >> /tmp/ran; test $(wc -l < /tmp/ran) -le $(cat /tmp/pass) || "
        + "while test -e /tmp/hold; do sleep 0.05; done; echo done"

    /// Makes a run in which so many hosts more can end, and kills it while another one is under way.
    private func killed(
        _ box: SSHDSandbox, after count: Int,
        _ run: (@escaping @Sendable (RunningProcess) async throws -> Void) async throws -> ProcessResult
    ) async throws -> ProcessResult {
        let limit = try counts(box).count + count
        let hold = box.temporaryDirectory.appendingPathComponent("hold")
        try Data("\(limit)\n".utf8).write(to: box.temporaryDirectory.appendingPathComponent("pass"))
        try Data().write(to: hold)
        let result = try await run { process in
            try await process.standardOutput.wait(for: "done")
            while try counts(box).count <= limit { try await Task.sleep(for: .milliseconds(10)) }
            process.send(signal: SIGKILL)
        }
        try FileManager.default.removeItem(at: hold)
        return result
    }

    private func counts(_ box: SSHDSandbox) throws -> [String: Int] {
        let text = (try? String(contentsOf: box.temporaryDirectory.appendingPathComponent("ran"), encoding: .utf8)) ?? ""
        return Dictionary(text.split(separator: "\n").map { (String($0), 1) }, uniquingKeysWith: +)
    }

    @Test("a run that is killed repeatedly is completed: no host twice, none forgotten")
    func killedRepeatedly() async throws {
        try await FleetFixture.with { fixture in
            let names = (1...40).map { "h\($0)" }
            for name in names { fixture.add(name) }
            let begun = try await killed(fixture.box, after: 5) {
                try await fixture.fleet(["run", "--parallel", "5", "h[1-40]", Self.command], body: $0)
            }
            #expect(begun.termination == .signalled(SIGKILL))
            #expect(try await fixture.program(["list"]).output.contains("interrupted"))
            for _ in 0..<2 {
                let again = try await killed(fixture.box, after: 5) { try await fixture.resume(["last"], body: $0) }
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
            // Hosts that were skipped and ran nothing.
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

    @Test("a run whose arguments are not in its journal says how to resume it with them")
    func wordless() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            fixture.add("h2", port: 1)
            // Its remedy repeats the options.
            fixture.add("h3", fixture.asked("h3"))
            let page = fixture.home.path("page.html")
            let cases = fixture.home.path("cases.xml")
            let words = ["run", "--journal-command", "none", "--html", page, "--junit", cases, "-o", "LocalCommand=s3same"]
            let reported = try await fixture.fleet(words + ["h[1-3]", "deploy s3same; false"])
            #expect(reported.exitStatus != 0 && reported.errorOutput.contains("trust"), "\(reported.errorOutput)")
            for file in [page, cases] { #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("s3same")) }
            let first = try await fixture.fleet(["run", "--journal-command", "none", "--output", "quiet", "h[1-2]", "true"])
            let resume = try #require(first.commands("fleet resume").first, "\(first.errorOutput)")
            #expect(resume.suffix(3) == ["--", "run", "…"], "\(resume)")
            #expect(first.errorOutput.contains("which its journal does not have"), "\(first.errorOutput)")
            let bare = try await fixture.resume(["last"])
            #expect(bare.exitStatus == 199 && bare.errorOutput.contains("--"), "\(bare.errorOutput)")
            let report = try await fixture.program(["report", "last"])
            #expect(report.output.contains("-- run …"), "\(report.output)")
        }
    }

    @Test("a resumed run runs hosts that could not be reached, and failed ones only on request")
    func errors() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)", port: number == 4 ? 1 : nil) }
            let command = "echo $LC_HOST >> /tmp/ran; test $LC_HOST != h3"
            let first = try await fixture.fleet(["run", "--output", "quiet", "h[1-4]", command])
            let resume = try #require(first.commands("fleet resume").first, "\(first.errorOutput)")
            #expect(first.errorOutput.contains("1 host did not run it: `bridge-ssh fleet resume 20"), "\(first.errorOutput)")
            #expect(resume.count == 2 && resume[1] != "last")
            #expect(try await fixture.program(["hosts", "@run:last:failed"]).output == "h3\n")
            let others = try await fixture.program(["hosts", "@run:last:ok,@run:last:ssh.connect.*", "--fold"])
            #expect(others.output == "h[1-2,4]\n")
            let misplaced = try await fixture.resume(["last", "--output", "quiet"])
            #expect(
                misplaced.exitStatus == 199 && misplaced.errorOutput.contains("must come before the run"),
                "\(misplaced.errorOutput)")
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

    @Test("the status is that of the whole run, and a stop rule does not prevent running the rest")
    func status() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("h\(number)", port: number > 4 ? 1 : nil) }
            let run = ["run", "--output", "jsonl", "--stop", "error=3", "h[1-6]", "test $LC_HOST != h1"]
            #expect(try await fixture.fleet(run).exitStatus == 1)
            // The two unreachable hosts can be reached again.
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

    @Test("the commands that a run prints name this run, even if others have started since", arguments: [false, true])
    func printed(namesJournal: Bool) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)", port: number == 4 ? 1 : nil) }
            let place = namesJournal ? ["--journal", fixture.runs.path + " of mine"] : []
            let command = "echo $LC_HOST >> /tmp/ran; test $LC_HOST != h3"
            let deploy = try await fixture.fleet(["run", "--output", "quiet"] + place + ["h[1-4]", command])
            // Other runs come in between, here and in the standard directory.
            _ = try await fixture.fleet(["check"] + place + ["h1"])
            _ = try await fixture.fleet(["run", "h2", "true"])
            let failed = try #require(deploy.commands("fleet hosts").first, "\(deploy.errorOutput)")
            #expect(try await fixture.program(failed).output == "h3\n")
            var whole = fixture
            whole.replace(port: 1, with: fixture.box.port)
            _ = try await whole.words(["run"])
            let resume = try #require(deploy.commands("fleet resume").first)
            let resumed = try await whole.program(resume)
            #expect(resumed.errorOutput.contains("3 of 4 hosts done, 1 to run"), "\(resumed.errorOutput)")
            #expect(try counts(fixture.box) == ["h1": 1, "h2": 1, "h3": 1, "h4": 1])
            // `@run:` honours --journal, for a run as for the names alone.
            let run = try #require(resume.last)
            let again = try await whole.fleet(
                ["run", "--output", "quiet"] + place + ["@run:\(run):ok", "echo $LC_HOST >> /tmp/ran"])
            #expect(again.exitStatus == 0, "\(again.errorOutput)")
            #expect(try counts(fixture.box) == ["h1": 2, "h2": 2, "h3": 1, "h4": 2])
            if namesJournal {
                #expect(try await fixture.program(["hosts", "@run:\(run):ok"]).exitStatus == 199)
                let missing = try await fixture.program(["resume"] + place + ["1999"])
                // The banner breaks its lines.
                let text = missing.errorOutput.filter { !$0.isWhitespace }
                #expect(text.contains("`bridge-sshfleetlist--journal'\(place[1].filter { !$0.isWhitespace })'`"), "\(text)")
                #expect(try await fixture.program(["list"] + place).output.contains(run))
            }
        }
    }

    @Test("a journal that another user may have written is not used by any command")
    func strange() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1", port: 1)
            _ = try await fixture.fleet(["run", "h1", "true"])
            let name = try #require(try await fixture.program(["list"]).output.split(separator: " ").first)
            let path = fixture.runs.appendingPathComponent("\(name).sqlite").path
            try #require(chown(path, 4721, 4721) == 0, "the tests run as root")
            for words in [["resume", "last"], ["resume", path], ["hosts", "@run:last:error"], ["list"]] {
                let result = try await fixture.program(words)
                let text = result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                #expect(text.contains("belongs to another user"), "\(words): \(result.errorOutput)")
                #expect(result.exitStatus == 199)
            }
        }
    }

    @Test("a run whose log is damaged is not resumed")
    func damagedLog() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...12 { fixture.add("h\(number)") }
            // One at a time: a second command could be on its way when the run is killed, and count itself later.
            _ = try await killed(fixture.box, after: 3) {
                try await fixture.fleet(["run", "--parallel", "1", "h[1-12]", Self.command], body: $0)
            }
            let before = try counts(fixture.box)
            let log = try #require(
                try FileManager.default.contentsOfDirectory(atPath: fixture.runs.path).first { $0.hasSuffix("-wal") })
            let url = fixture.runs.appendingPathComponent(log)
            var bytes = try Data(contentsOf: url)
            bytes[17] ^= 1
            try bytes.write(to: url)
            for words in [["resume", "last"], ["hosts", "@run:last:skipped"]] {
                let refused = try await fixture.program(words)
                #expect(refused.exitStatus == 199 && refused.errorOutput.contains("damaged"), "\(refused.errorOutput)")
            }
            #expect(try counts(fixture.box) == before)
        }
    }

    @Test("of two processes that resume one run, one is refused")
    func twice() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...8 { fixture.add("h\(number)", port: 1) }
            // The hosts of the first process wait until the second one has had its answer.
            let command = "echo $LC_HOST >> /tmp/ran; until test -e /tmp/go; do sleep 0.1; done; echo done"
            #expect(try await fixture.fleet(["run", "--output", "quiet", "h[1-8]", command]).exitStatus == 193)
            fixture.replace(port: 1, with: fixture.box.port)
            _ = try await fixture.words(["run"])
            let other = fixture
            let first = try await fixture.resume(["--parallel", "1", "last"]) { process in
                while try counts(other.box).isEmpty, !process.standardError.hasEnded {
                    try await Task.sleep(for: .milliseconds(20))
                }
                let second = try await other.resume(["last"])
                #expect(second.exitStatus == 199, "\(second.errorOutput)")
                try Data().write(to: other.box.temporaryDirectory.appendingPathComponent("go"))
            }
            #expect(first.exitStatus == 0, "\(first.errorOutput)")
            #expect(try counts(fixture.box).count == 8 && counts(fixture.box).values.allSatisfy { $0 == 1 })
        }
    }

    @Test("secrets are not in the journal, so the arguments are needed again; other arguments are refused")
    func words() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1", port: 1)
            let run = ["run", "--env", "LC_TOKEN=canary-1234567890", "h1", "true"]
            _ = try await fixture.fleet(run)
            let refused = try await fixture.resume(["last"])
            #expect(refused.exitStatus == 199)
            #expect(refused.errorOutput.contains("leaves out arguments"), "\(refused.errorOutput)")
            let resumed = try await fixture.resume(["--output", "quiet", "last", "--"] + (try await fixture.words(run)))
            #expect(resumed.errorOutput.contains("1 to run"), "\(resumed.errorOutput)")
            let other = try await fixture.resume(["last", "--"] + (try await fixture.words(["run", "h1", "false"])))
            #expect(other.exitStatus == 199)
            // The banner breaks its lines.
            let text = other.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("its command was another one: true"), "\(other.errorOutput)")
        }
    }

    @Test("an unknown run is named, with status 199")
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

extension ProcessResult {
    /// The arguments of the suggested commands `bridge-ssh fleet …`, without `fleet`.
    func commands(_ name: String) -> [[String]] {
        errorOutput.split(separator: "`").filter { $0.hasPrefix("bridge-ssh \(name) ") }.map { command in
            // Removes the shell quotes that are printed.
            var (words, isQuoted) = ([""], false)
            for character in command {
                switch character {
                case "'": isQuoted.toggle()
                case " " where !isQuoted: words.append("")
                default: words[words.count - 1].append(character)
                }
            }
            return Array(words.dropFirst(2))
        }
    }
}

extension FleetFixture {
    /// `fleet resume`: the run's own arguments name the configuration.
    fileprivate func resume(
        _ words: [String], body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await program(["resume"] + words, body: body)
    }
}
