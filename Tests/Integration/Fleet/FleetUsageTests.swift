import Foundation
import SSHTestSupport
import Testing

/// Help, manual pages and mistakes of `bridge-ssh fleet`, in the form of the other commands.
@Suite("Fleet usage") struct FleetUsageTests {
    private func run(_ words: String...) async throws -> ProcessResult { try await run(words) }

    private func run(_ words: [String]) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), words,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
    }

    static let subcommands = ["run", "script", "check", "trust", "hosts", "resume", "list"]

    @Test("help has the same sections as other commands' help", arguments: subcommands)
    func help(_ name: String) async throws {
        let help = try await run("fleet", name, "--help")
        #expect(help.exitStatus == 0 && help.errorOutput.isEmpty)
        #expect(help.output.contains("\nUSAGE\n  bridge-ssh fleet \(name) "), "\(help.output)")
        #expect(!help.output.contains("OVERVIEW") && !help.output.contains("ARGUMENTS:"))
        // Making a help's text takes a debug build half a second.
        if TestExtent.ofThisRun == .all || ["run", "trust"].contains(name) {
            #expect(try await run("fleet", "help", name).output == help.output)
            #expect(try await run("help", "fleet", name).output == help.output)
        }
        let page = try await run("fleet", "manual", name)
        #expect(page.output.contains(".TH BRIDGE-SSH-FLEET-\(name.uppercased()) 1"), "\(page.errorOutput)")
        #expect(page.output.contains("\\fBbridge\\-ssh\\-fleet\\fR(1)"))
    }

    @Test("fleet lists its subcommands, and bridge-ssh lists fleet") func list() async throws {
        let help = try await run("fleet", "--help")
        for name in Self.subcommands { #expect(help.output.contains("\n  \(name) "), "\(help.output)") }
        #expect(!help.output.contains("manual"))
        #expect(try await run("--help").output.contains("\n  fleet "))
        #expect(try await run("fleet").output == help.output)
    }

    @Test(
        "a mistake is reported as JSON if standard output is meant for a program",
        arguments: [
            ["fleet", "run", "--output", "jsonl", "--nosuch", "web1", "true"],
            ["fleet", "run", "--output=jsonl", "-p", "x", "web1"],
            ["fleet", "hosts", "--json", "--nosuch", "web1"], ["fleet", "report", "--json", "--nosuch"],
            ["fleet", "run", "--output", "quiet,jsonl", "web[1", "true"],
        ])
    func mistakesAsJSON(_ words: [String]) async throws {
        let result = try await run(words)
        #expect(result.exitStatus == 199 && !result.errorOutput.isEmpty, "\(result.errorOutput)")
        let object = try JSON(parsing: Data(result.standardOutput))
        #expect(object["error"]?["code"]?.text == "ssh.local.usage", "\(result.output)")
        #expect(try await run(words.filter { !$0.contains("json") && $0 != "--output" }).output.isEmpty)
    }

    @Test(
        "a mistake is reported as by run",
        arguments: [
            (["fleet", "rnu"], "did you mean run"), (["fleet", "trust", "--nonsense", "web1"], "--nonsense"),
            (["fleet", "list", "--journal"], "--journal"), (["fleet", "run"], "hosts: they are missing"),
            (["fleet", "trust"], "hosts"), (["fleet", "trust", "--yes", "SHA256:short", "web1"], "is not a fingerprint"),
            (["fleet", "help", "rnu"], "did you mean run"), (["fleet", "check", "-oPort=x", "web1"], "Port"),
            (["fleet", "run", "--timeout", "-1", "web1", "true"], "'-1'"),
            (["fleet", "check", "-p", "-5", "web1"], "1 to 65535"),
            (["fleet", "script", "web1", "/nope"], "script: /nope: The file cannot be read: No such file"),
        ])
    func mistakes(_ words: [String], _ text: String) async throws {
        let result = try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), words,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
        #expect(result.exitStatus == 199 && result.output.isEmpty, "\(result.output)")
        #expect(result.errorOutput.contains("ssh.local."), "\(result.errorOutput)")
        #expect(result.errorOutput.contains(text), "\(result.errorOutput)")
        #expect(!result.errorOutput.contains("Usage:") && !result.errorOutput.contains("Error:"))
    }
}
