import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `--exit-status strict` and `--status-file`: statuses that a script can distinguish.
@Suite("Exit statuses that cannot be mistaken")
struct ExitStatusTests {
    private struct Row: Sendable {
        let command: String
        let status: Int32
        let line: String
    }

    private static let rows = [
        Row(command: "true", status: 0, line: "exited 0 -\n"),
        Row(command: "exit 3", status: 1, line: "exited 3 ssh.command.exit-nonzero\n"),
        Row(command: "exit 193", status: 1, line: "exited 193 ssh.command.exit-nonzero\n"),
        Row(command: "exit 255", status: 1, line: "exited 255 ssh.command.exit-nonzero\n"),
        Row(command: "kill -KILL $$", status: 1, line: "signalled KILL ssh.command.killed-by-signal\n"),
    ]

    @Test("a command's failure gives 1, and the status file has its status")
    func strict() async throws {
        let box = try await SharedSandbox.plain.box()
        for row in Self.rows {
            for convention in ["bridge", "ssh"] {
                try await ScratchDirectory.with { scratch in
                    let options = [
                        "--exit-status", "strict", "--exit-codes", convention, "--status-file", scratch.path("status"),
                    ]
                    let result = try await box.commandLine(options, row.command).result()
                    #expect(result.exitStatus == row.status, "\(row.command): \(result.errorOutput)")
                    #expect(try String(contentsOfFile: scratch.path("status"), encoding: .utf8) == row.line)
                    // Nothing beside it.
                    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["status"])
                }
            }
        }
    }

    @Test("bridge-ssh's own failures keep their statuses")
    func own() async throws {
        try await ScratchDirectory.with { scratch in
            let file = try scratch.write("exited 0 -\n", to: "status")
            let options = ["-F", "none", "--exit-status", "strict", "--status-file", file]
            let refused = try await CommandLineRun(options: options, port: 1, command: "exit 3").result()
            #expect(refused.exitStatus == 193, "\(refused.errorOutput)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "none - ssh.connect.refused\n")
            let wrong = try await CommandLineRun(options: options + ["--stdin", "/missing/file"], port: 1).result()
            #expect(wrong.exitStatus == 199, "\(wrong.errorOutput)")
            #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("none - ssh.local."))
        }
    }

    @Test("an unwritable status file is refused before anything runs, and so are a directory and a pipe without a reader")
    func unwritable() async throws {
        let box = try await SharedSandbox.plain.box()
        for path in ["/missing/directory/status", "/tmp"] {
            let result = try await box.commandLine(["--status-file", path], "touch /tmp/never").result()
            #expect(result.exitStatus == 199 && result.errorOutput.contains("--status-file"), "\(result.errorOutput)")
        }
        // A device is written to, and not replaced.
        let result = try await box.commandLine(["--status-file", "/dev/stdout"], "exit 3").result()
        #expect(result.exitStatus == 3 && result.output == "exited 3 ssh.command.exit-nonzero\n", "\(result.errorOutput)")
    }

    /// Runs the program in a shell as `$RUN`, with a link to standard output beside it.
    private func shell(_ command: String, _ scratch: ScratchDirectory) async throws -> ProcessResult {
        let box = try await SharedSandbox.plain.box()
        try FileManager.default.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: "/dev/stdout")
        let words = [
            try BuiltExecutable.path("bridge-ssh"), "run", "-F", "none", "--batch", "--agent", "none", "-p", "\(box.port)",
            "-l", "alice", "-i", box.clientKeyFile, "--known-hosts", try await box.knownHosts(port: box.port),
        ]
        return try await ProcessRun.run(
            "/bin/sh", ["-c", command],
            environment: .exactly([
                "PATH": "/usr/bin:/bin", "HOME": scratch.url.path, "RUN": words.joined(separator: " "),
            ]), directory: scratch.url.path)
    }

    // Not with /dev/stdout itself: without the rule, root would replace it for all programs.
    @Test(
        "standard output as the status file, by a link or its own name, gets the line in its place", arguments: ["link", "out"])
    func standardOutput(name: String) async throws {
        try await ScratchDirectory.with { scratch in
            let run = "$RUN --status-file \(name) 127.0.0.1 'echo hi; exit 3'"
            let result = try await shell("{ echo before; \(run); echo after; } > out", scratch)
            #expect(
                try String(contentsOfFile: scratch.path("out"), encoding: .utf8)
                    == "before\nhi\nexited 3 ssh.command.exit-nonzero\nafter\n", "\(result.errorOutput)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path("link")) == "/dev/stdout")
        }
    }

    @Test("a closed standard output as the status file is refused before anything runs")
    func closedOutput() async throws {
        try await ScratchDirectory.with { scratch in
            let result = try await shell("$RUN --status-file link 127.0.0.1 'echo begun >&2' >&-", scratch)
            #expect(result.exitStatus == 199 && result.errorOutput.contains("--status-file"), "\(result.errorOutput)")
            #expect(!result.errorOutput.contains("begun"))
        }
    }

    @Test("an error log that is standard error is not rotated: the shell would write into the old file")
    func fullStandardError() async throws {
        try await ScratchDirectory.with { scratch in
            _ = try await shell(
                "truncate -s 100M log; $RUN --error-log log 127.0.0.1 'exit 3' 2>> log; $RUN 127.0.0.1 'exit 4' 2>> log", scratch)
            #expect(!FileManager.default.fileExists(atPath: scratch.path("log.1")))
            let log = try String(decoding: Data(contentsOf: scratch.url.appending(path: "log")).suffix(8000), as: UTF8.self)
            #expect(log.contains("\"exit_status\":") || log.contains("ssh.command.exit-nonzero"), "\(log)")
        }
    }

    @Test(
        "a fleet: 1 for commands, bridge-ssh's statuses for its failures; equal numbers with different reasons do not count as alike"
    )
    func fleet() async throws {
        try await FleetFixture.with { fixture in
            for name in ["web1", "web2"] { fixture.add(name) }
            fixture.add("down", port: 1)
            let file = try fixture.write("", to: "status")
            func status(_ options: [String], _ hosts: String, _ command: String) async throws -> (Int32?, String) {
                let result = try await fixture.fleet(["run", "--status-file", file] + options + [hosts, "--", command])
                return (result.exitStatus, try String(contentsOfFile: file, encoding: .utf8))
            }
            let strict = ["--exit-status", "strict"]
            #expect(try await status(strict, "web[1-2]", "exit 193") == (1, "exited 193 ssh.command.exit-nonzero\n"))
            #expect(try await status([], "web[1-2]", "exit 193") == (193, "exited 193 ssh.command.exit-nonzero\n"))
            #expect(try await status(strict, "down", "exit 193") == (193, "none - ssh.connect.refused\n"))
            #expect(try await status([], "web1,down", "exit 193") == (1, "mixed - -\n"))
            #expect(try await status(strict, "web[1-2]", "true") == (0, "exited 0 -\n"))
        }
    }
}
