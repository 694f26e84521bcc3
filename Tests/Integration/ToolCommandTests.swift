import Foundation
import SSHTestSupport
import Testing

/// `explain`, `codes` and `classify`, with the built executable.
@Suite("Tools of the command line")
struct ToolCommandTests {
    /// Every line that `classify` writes follows its schema.
    private func checkSchema(_ output: String) throws {
        for line in output.split(separator: "\n") {
            let object = try JSON(parsing: Data(line.utf8))
            #expect(try JSONSchema.ofClassification().faults(object) == [], "\(line)")
        }
    }

    private func tool(_ arguments: [String], input: String = "") async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments, environment: .exactly(["PATH": "/usr/bin:/bin"]),
            input: .bytes(Array(input.utf8)))
    }

    @Test(
        "explain answers codes and statuses",
        arguments: [
            (["auth.key-rejected"], "authorized_keys"),
            (["ssh.auth.key-rejected", "--json"], #""code":"ssh.auth.key-rejected""#),
            (["197"], "ssh.auth.password-rejected"), (["137"], "SIGKILL"), (["3"], "itself exited"),
            (["127"], "ssh.command.not-found"),
            (["194", "--json"], #""ssh.connect.timed-out""#),
        ])
    func explains(_ arguments: [String], _ words: String) async throws {
        let result = try await tool(["explain"] + arguments)
        #expect(result.exitStatus == 0)
        #expect(result.output.contains(words), "\(result.output)")
    }

    @Test(
        "an unknown name is wrong usage, with similar names suggested",
        arguments: [
            ("auth.key-rejectd", "ssh.auth.key-rejected"), ("passphrase", "ssh.key.passphrase-wrong"), ("256", "0 to 255"),
            ("nonsense", "bridge-ssh codes"),
        ])
    func doesNotExplain(_ subject: String, _ words: String) async throws {
        let result = try await tool(["explain", subject])
        #expect(result.exitStatus == 199)
        #expect(result.output.isEmpty)
        let said = result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(said.contains(words), "\(said)")
    }

    @Test("`codes` writes every code, and its JSON is valid")
    func codes() async throws {
        let plain = try await tool(["codes"]).output.split(separator: "\n")
        let json = try await tool(["codes", "--json"])
        let table = try #require(try JSONSerialization.jsonObject(with: Data(json.standardOutput)) as? [[String: Any]])
        #expect(table.count == plain.count)
        #expect(table.allSatisfy { ($0["remedy"] as? String)?.isEmpty == false && ($0["exitStatus"] as? Int) != nil })
        #expect(plain.allSatisfy { $0.hasPrefix("ssh.") })
    }

    @Test(
        "classify reads one run, a log, and JSON lines",
        arguments: [
            (["--exit", "255"], "bob@web1: Permission denied (publickey).\n", ["ssh.auth.key-rejected"]),
            (["--exit", "0"], "bob@web1: Permission denied (publickey).\n", ["null"]),
            (
                ["--follow"],
                "a: ssh: connect to host web1 port 22: Connection refused\nb: Host key verification failed.\nc: fine",
                ["ssh.connect.refused", "ssh.host-key.unknown"]
            ),
            (
                ["--jsonl"],
                "{\"exit\":255,\"stderr\":\"ssh: connect to host w port 1: No route to host\"}\n{\"exit\":0,\"stderr\":\"\"}\n",
                ["ssh.connect.host-unreachable", "null"]
            ),
            (
                ["--since", "2026-01-06"],
                "2026-01-05T09:00:00Z ssh: connect to host w port 1: No route to host\n2026-01-07T09:00:00Z Host key verification failed.\n",
                ["ssh.host-key.unknown"]
            ),
        ])
    func classifies(_ options: [String], _ input: String, _ codes: [String]) async throws {
        let result = try await tool(["classify"] + options, input: input)
        #expect(result.exitStatus == 0)
        try checkSchema(result.output)
        let found = try result.output.split(separator: "\n").map { line in
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            return (object["error"] as? [String: Any])?["code"] as? String ?? "null"
        }
        #expect(found == codes)
    }

    @Test("a log's failures are one line each, and counted at its end") func summary() async throws {
        let log = "[pod/a/b] 2026-01-05T09:00:00Z ssh: connect to host w port 1: No route to host\n"
        let text = try await tool(["classify", "--text", "--summary"], input: log + log + "Host key verification failed.\n")
        let lines = text.output.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.first?.hasPrefix("2026-01-05T09:00:00Z a/b w ssh.connect.host-unreachable: ") == true)
        #expect(lines.suffix(3) == ["3 failures", "  2  ssh.connect.host-unreachable  w", "  1  ssh.host-key.unknown"])
        let json = try await tool(["classify", "--summary"], input: log)
        try checkSchema(json.output)
        let last = try #require(json.output.split(separator: "\n").last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(object["failures"] as? Int == 1)
        let cause = try #require((object["causes"] as? [[String: Any]])?.first)
        #expect(cause["hosts"] as? [String] == ["w"] && cause["first"] as? String == "2026-01-05T09:00:00Z")
    }

    @Test("the beginning of a long transcript counts too, if ssh -v shows the progress") func longTranscript() async throws {
        let beginning =
            "OpenSSH_9.2p1, OpenSSL 3.0.19\ndebug1: Connecting to web1 [192.0.2.1] port 22.\ndebug1: SSH2_MSG_NEWKEYS received\n"
            + "Authenticated to web1 ([192.0.2.1]:22) using \"publickey\".\ndebug1: Entering interactive session.\n"
        let output = String(repeating: "Permission denied (publickey).\n", count: 60_000)
        let result = try await tool(
            ["classify", "--exit", "9"], input: beginning + output + "debug1: Exit status 9\n")
        #expect(result.output.contains("\"ssh.command.exit-nonzero\"") && result.output.contains("\"confidence\":\"exact\""))
    }

    @Test(
        "standard input that cannot be read is a failure, and not an input without failures", arguments: [[], ["--exit", "255"]])
    func unreadable(_ options: [String]) async throws {
        let result = try await ProcessRun.run(
            "sh", ["-c", "exec \"$@\" < /", "sh", try BuiltExecutable.path("bridge-ssh"), "classify", "--text"] + options)
        #expect(result.exitStatus == 199 && result.output.isEmpty)
        #expect(result.errorOutput.contains("standard input: it cannot be read: Is a directory"), "\(result.errorOutput)")
    }

    @Test("failures in a growing log are reported before it ends")
    func follows() async throws {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), ["classify", "--follow"], environment: .exactly([:]), input: .pipe
        ) { process in
            try await process.write("ssh: connect to host web1 port 22: Connection refused\n")
            try await process.standardOutput.wait(for: "ssh.connect.refused")
        }
    }

    @Test(
        "wrong options are wrong usage",
        arguments: [
            ["--exit", "300"], ["--exit", "1", "--jsonl"], ["--json", "--text"], ["--jsonl"],
            ["--exit", "1", "--summary"], ["--jsonl", "--since", "today"], ["--since", "now and then"],
        ])
    func usage(_ options: [String]) async throws {
        #expect(try await tool(["classify"] + options, input: "no object\n").exitStatus == 199)
    }

    @Test(
        "wrong usage points to the subcommand's own help",
        arguments: ["doctor", "trust", "config", "codes", "explain", "classify", "persist", "run"])
    func pointsToItsHelp(_ name: String) async throws {
        let result = try await tool([name, "--wrong"])
        #expect(result.exitStatus == 199)
        #expect(result.errorOutput.contains("`bridge-ssh \(name) --help`"), "\(result.errorOutput)")
    }

    @Test(
        "the manual pages are those of the executable, and man reads them",
        arguments: ["", "run", "copy", "doctor", "check", "trust", "config", "persist", "codes", "explain", "classify"])
    func manual(_ name: String) async throws {
        let page = ["bridge-ssh", name].filter { !$0.isEmpty }.joined(separator: "-")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/man")
        let file = folder.appending(path: "\(page).1")
        let more = try? String(contentsOf: folder.appending(path: "sections/\(page).roff"), encoding: .utf8)
        let made = try await tool(["manual"] + (name.isEmpty ? [] : [name]))
        #expect(made.exitStatus == 0)
        let whole = made.output.replacing(".\\\" more\n", with: more ?? "")
        #expect(try String(contentsOf: file, encoding: .utf8) == whole, "scripts/generate/manual writes it again")
        let shown = try await ProcessRun.run("groff", ["-t", "-man", "-Tutf8", "-ww", "-z", file.path])
        #expect(shown.exitStatus == 0 && shown.errorOutput.isEmpty, "\(shown.errorOutput)")
        #expect(try await tool(["help"] + (name.isEmpty ? [] : [name])).exitStatus == 0)
    }

    @Test("each subcommand has its help", arguments: ["run", "copy", "ssh", "doctor", "trust", "check", "persist", "classify"])
    func help(_ subcommand: String) async throws {
        let result = try await tool([subcommand, "--help"])
        #expect(result.exitStatus == 0 && result.errorOutput.isEmpty)
        #expect(result.output.contains("bridge-ssh \(subcommand) "))
    }

    @Test("help for an unknown subcommand fails") func noHelp() async throws {
        let result = try await tool(["help", "rnu"])
        #expect(result.exitStatus == 199 && result.output.isEmpty)
        #expect(result.errorOutput.contains("did you mean run?"))
    }

    @Test(
        "without UTF-8 everything is ASCII",
        arguments: [
            ["--help"], ["run", "--help"], ["copy", "--help"], ["explain", "197"], ["codes"], ["run", "-o", "Bogüs=1", "h", "x"],
        ])
    func ascii(_ arguments: [String]) async throws {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), arguments, environment: .exactly(["PATH": "/usr/bin:/bin", "LC_ALL": "C"]))
        #expect(result.standardOutput.allSatisfy { $0 < 0x80 } && result.standardError.allSatisfy { $0 < 0x80 })
        #expect(!(result.standardOutput + result.standardError).isEmpty)
    }
}
