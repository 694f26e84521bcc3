import Foundation
import SSHTestSupport
import Testing

/// Files on this machine that hosts need.
@Suite("A fleet and its local files") struct FleetLocalFaultTests {
    private static func options(_ fault: String, _ scratch: ScratchDirectory) throws -> (words: [String], path: String) {
        let missing = scratch.path("missing")
        switch fault {
        case "key": return (["-i", missing], missing)
        case "no key":
            let path = try scratch.write("nonsense\n", to: "no-key", mode: 0o600)
            return (["-i", path], path)
        case "known hosts": return (["--known-hosts", missing], missing)
        case "revoked": return (["-o", "RevokedHostKeys=\(missing)"], missing)
        default: return (["-F", missing], missing)
        }
    }

    @Test(
        "a file that all hosts need is checked once, before the first host, with run's status and code",
        arguments: ["key", "no key", "known hosts", "revoked", "configuration"])
    func all(_ fault: String) async throws {
        try await ScratchDirectory.with { scratch in
            try await FleetFixture.with { fixture in
                for number in 1...20 { fixture.add("h\(number)") }
                fixture.namesKeyFile = !fault.hasSuffix("key")
                let (options, path) = try Self.options(fault, scratch)
                let words = try await fixture.words(["run"] + ["h[1-20]", "true"])
                let before = fixture.box.connectionCount
                let files = fault == "configuration" ? options : Array(words[1...2]) + options
                let fleet = try await fixture.program(["run", "--output", "jsonl"] + files + ["h[1-20]", "true"])
                let one = try await fixture.single(["run", "--json", "--batch"] + files + ["h1", "true"])
                #expect(fleet.exitStatus == one.exitStatus && fleet.exitStatus != 0, "\(fleet.errorOutput) \(one.output)")
                let object = try JSON(parsing: Data(one.standardOutput))
                let code = try #require(object["error"]?["code"]?.text)
                #expect(fleet.errorOutput.contains("(\(code))"), "\(fleet.errorOutput)")
                // Usage errors are reported in JSON too; there is no event of a host.
                let isInWords = fault == "configuration" && fleet.output.contains("\"\(code)\"")
                #expect(fleet.output.isEmpty || isInWords, "\(fleet.output)")
                #expect(!"\(fleet.output)\(fleet.errorOutput)".contains("h1:"), "\(fleet.output)\(fleet.errorOutput)")
                #expect(fleet.unbroken.contains(path.filter { !$0.isWhitespace }), "\(fleet.errorOutput)")
                #expect(fixture.box.connectionCount == before)
                #expect(try await fixture.program(["list"]).output.isEmpty)
            }
        }
    }

    @Test("a file that only some hosts need fails these hosts, as one cause with their folded names")
    func some() async throws {
        try await ScratchDirectory.with { scratch in
            try await FleetFixture.with { fixture in
                for number in 1...6 {
                    fixture.add("h\(number)", number > 4 ? ["UserKnownHostsFile \(scratch.path("missing"))"] : [])
                }
                let result = try await fixture.fleet(["run", "--output", "jsonl", "--journal", "none", "h[1-6]", "true"])
                let lines = try FleetLines(result)
                #expect(lines.outcomes["ok"] == 4 && lines.outcomes["error"] == 2, "\(result.errorOutput)")
                #expect(lines.code(of: "h5") == lines.code(of: "h6") && lines.code(of: "h5") != nil)
                for text in ["2 hosts: ", "h[5-6]"] { #expect(result.errorOutput.contains(text), "\(result.errorOutput)") }
            }
        }
    }

    @Test("a full disk under --output files= ends the run with the cause, the totals, the next command and the status")
    func fullDisk() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...6 { fixture.add("h\(number)") }
            let place = try fixture.directory("small")
            let command = "test $LC_HOST = h1 || sleep 3; head -c 40000 /dev/zero"
            let run = ["run", "--parallel", "1", "--output", "files=\(place)/out,jsonl", "h[1-6]", command]
            let words = try await fixture.words(run)
            let result = try await ProcessRun.run(
                "bwrap",
                [
                    "--dev-bind", "/", "/", "--size", "120000", "--tmpfs", place, "--die-with-parent",
                    try BuiltExecutable.path("bridge-ssh-fleet"),
                ] + words,
                environment: fixture.environment)
            #expect(result.exitStatus == 192, "\(result.errorOutput)")
            let lines = try FleetLines(result)
            #expect(lines.all("stopped").count == 1 && lines.all("summary").count == 1)
            #expect(lines.outcomes["skipped", default: 0] > 0 && lines.outcomes["ok", default: 0] > 0)
            for text in [
                "6 hosts in ", "did not run it: `bridge-ssh fleet resume 20", "small/out/h", "(ssh.sftp.local-disk-full)",
                "the files of ", " not complete: h",
            ] {
                #expect(result.errorOutput.contains(text), "\(text): \(result.errorOutput)")
            }
        }
    }

    @Test("a result that does not fit on the disk leaves no part of a file")
    func noTornResult() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)") }
            let place = try fixture.directory("small")
            let kept = try fixture.directory("kept")
            let words = try await fixture.words([
                "run", "--parallel", "1", "--output", "files=\(place)/out", "h[1-4]", "head -c 33000 /dev/zero | tr '\\0' x",
            ])
            let script = "\"$@\"; status=$?; cp \(place)/out/* \(kept); exit $status"
            let result = try await ProcessRun.run(
                "bwrap",
                [
                    "--dev-bind", "/", "/", "--size", "120000", "--tmpfs", place, "--die-with-parent", "sh", "-c", script, "sh",
                    try BuiltExecutable.path("bridge-ssh-fleet"),
                ] + words,
                environment: fixture.environment)
            #expect(result.exitStatus != 0 && result.errorOutput.contains("the files of "), "\(result.errorOutput)")
            let results = try FileManager.default.contentsOfDirectory(atPath: kept).filter { $0.hasSuffix(".json") }
            // Removing a file frees space for a later one.
            #expect(results.contains("h1.json") && results.count < 4, "\(results)")
            for name in results { _ = try JSON(parsing: Data(contentsOf: URL(fileURLWithPath: "\(kept)/\(name)"))) }
        }
    }

    @Test("totals are shown although standard output is full", arguments: ["live", "fold", "jsonl"])
    func fullOutput(mode: String) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...4 { fixture.add("h\(number)") }
            let words = try await fixture.words(["run", "--output", mode, "h[1-4]", "echo x"])
            let fleet = try BuiltExecutable.path("bridge-ssh-fleet")
            let result = try await ProcessRun.run(
                "sh", ["-c", "exec \"$@\" >/dev/full", "sh", fleet] + words, environment: fixture.environment)
            #expect(result.exitStatus == 199, "\(result.errorOutput)")
            for text in ["hosts in ", "(ssh.local.output-failed)"] {
                #expect(result.errorOutput.contains(text), "\(text): \(result.errorOutput)")
            }
        }
    }

    @Test("a journal on a full disk is reported as that, before the first host", arguments: [4096, 65_536])
    func fullJournal(size: Int) async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let place = try fixture.directory("small")
            let words = try await fixture.words(["run", "--journal", place + "/journals", "h1", "true"])
            let before = fixture.box.connectionCount
            let result = try await ProcessRun.run(
                "bwrap",
                [
                    "--dev-bind", "/", "/", "--size", "\(size)", "--tmpfs", place, "--die-with-parent",
                    try BuiltExecutable.path("bridge-ssh-fleet"),
                ] + words,
                environment: fixture.environment)
            #expect(result.exitStatus == 199, "\(result.errorOutput)")
            for text in ["(ssh.sftp.local-disk-full)", "Cannotwritethejournal", place, "Freesomespacehere"] {
                #expect(result.unbroken.contains(text), "\(text): \(result.errorOutput)")
            }
            #expect(!result.errorOutput.contains("Wrong Usage") && fixture.box.connectionCount == before)
        }
    }

    @Test("--output files= with a path that cannot be a directory is refused before anything runs", arguments: ["", "/below"])
    func noDirectory(below: String) async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let file = try fixture.write("", to: "taken")
            let before = fixture.box.connectionCount
            let result = try await fixture.fleet(["run", "--output", "files=\(file)\(below)", "h1", "true"])
            #expect(result.exitStatus == 199, "\(result.errorOutput)")
            for text in [file, "notadirectory"] {
                #expect(result.unbroken.contains(text), "\(text): \(result.errorOutput)")
            }
            #expect(fixture.box.connectionCount == before)
            #expect(try await fixture.program(["list"]).output.isEmpty)
        }
    }

    @Test("programs that a run starts have their three streams, and none of its descriptors")
    func descriptors() async throws {
        try await FleetFixture.with { fixture in
            let place = try fixture.directory("descriptors")
            func list(_ name: String) -> String { "ls -l /proc/self/fd > \(place)/\(name)" }
            fixture.add("h1")
            fixture.add("h2")
            fixture.add("h3", ["ProxyCommand \(list("proxy"))"])
            fixture.add("h4", ["Match originalhost h4 exec \"\(list("exec"))\""])
            let result = try await fixture.fleet([
                "run", "--journal", "none", "--batch", "1,100%", "--between", list("between"), "h1,h[2-4]", "true",
            ])
            for name in ["proxy", "exec", "between"] {
                let text = (try? String(contentsOfFile: "\(place)/\(name)", encoding: .utf8)) ?? result.errorOutput
                // Without lines such as `… 3 -> /proc/7/fd`, the directory that ls itself has opened.
                let open = text.split(separator: "\n").filter { $0.contains(" -> ") }
                let others = open.filter { line in !(0...2).contains { line.contains(" \($0) -> ") } && !line.hasSuffix("/fd") }
                #expect(open.count == 4 && others.isEmpty, "\(name): \(text)")
            }
        }
    }

    @Test("a FIFO in the place of a host's output file does not block the run")
    func fifo() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...2 { fixture.add("h\(number)") }
            let place = try fixture.directory("out")
            mkfifo(place + "/h1.out", 0o600)
            let result = try await fixture.fleet(["run", "--output", "files=\(place)", "h[1-2]", "echo x"])
            #expect(result.exitStatus != 0)
            #expect(result.unbroken.contains("h1.out") && result.errorOutput.contains("hosts in "), "\(result.errorOutput)")
        }
    }

    @Test("a missing key file does not matter if there is another credential")
    func other() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let lines = try FleetLines(
                try await fixture.fleet(["run", "-i", "/missing", "--output", "jsonl", "--journal", "none", "h[1-3]", "true"]))
            #expect(lines.outcomes["ok"] == 3)
        }
    }
}

extension FleetFixture {
    /// `bridge-ssh` itself.
    fileprivate func single(_ words: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(try BuiltExecutable.path("bridge-ssh"), words, environment: environment)
    }
}

extension ProcessResult {
    /// The banner without its line breaks, which may be within a path.
    fileprivate var unbroken: String { errorOutput.filter { !$0.isWhitespace } }
}
