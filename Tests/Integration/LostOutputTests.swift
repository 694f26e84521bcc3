import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Standard output that cannot be written: every command then fails.
@Suite("Standard output on a full device")
struct LostOutputTests {
    /// Runs the executable with its standard output on a device without space.
    private func full(_ arguments: [String], home: String = "/nonexistent") async throws -> ProcessResult {
        try await ProcessRun.run(
            "/bin/sh", ["-c", "exec \"$0\" \"$@\" > /dev/full", try BuiltExecutable.path("bridge-ssh")] + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8"]))
    }

    /// Runs the executable with its standard output on a pipe that nothing reads.
    private func unread(_ arguments: [String]) async throws -> ProcessResult {
        try await ScratchDirectory.with { scratch in
            let line = "mkfifo \"$0\"; exec 3<>\"$0\" 4>\"$0\"; exec 3>&-; exec \"$@\" >&4"
            return try await ProcessRun.run(
                "/bin/sh", ["-c", line, scratch.path("pipe"), try BuiltExecutable.path("bridge-ssh")] + arguments,
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
        }
    }

    private func words(_ result: ProcessResult) -> String {
        result.errorOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func access(_ box: SSHDSandbox) async throws -> [String] {
        [
            "-F", "none", "--batch", "--agent", "none", "-p", "\(box.port)", "-i", box.clientKeyFile, "--known-hosts",
            try await box.knownHosts(),
        ]
    }

    @Test(
        "the command's status is reported, and the run has its own status", arguments: [("echo hi", 0), ("echo hi; exit 3", 3)])
    func command(line: String, status: Int) async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await full(["run"] + access(box) + ["alice@127.0.0.1", line])
        #expect(result.exitStatus == 199)
        let text = words(result)
        #expect(text.contains("ssh.local.output-failed") && text.contains("no space left"), "\(text)")
        #expect(text.contains("ran and exited with status \(status)."), "\(text)")
    }

    /// The system sends SIGXFSZ with such a failure, which would end the process without a message.
    @Test("beyond the limit on the size of a file a copy fails, and a run continues; started programs keep the signal")
    func fileSizeLimit() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { scratch in
            func limited(_ blocks: Int, _ words: [String]) async throws -> ProcessResult {
                try await ProcessRun.run(
                    "/bin/sh", ["-c", "ulimit -f \(blocks); exec \"$0\" \"$@\"", try BuiltExecutable.path("bridge-ssh")] + words,
                    environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
            }
            var access = try await access(box)
            let host = "alice@127.0.0.1"
            for option in ["--log-file", "--status-file"] {
                let result = try await limited(0, ["run", option, scratch.path(option)] + access + [host, "echo hi; exit 3"])
                #expect(result.output == "hi\n" && result.termination == .exited(3), "\(result.errorOutput)")
            }
            access.replace(["-p"], with: ["-P"])
            let copy = try await limited(100, ["copy"] + access + ["\(host):/usr/sbin/sshd", scratch.path("copy")])
            #expect(copy.termination == .exited(1) && words(copy).contains("ssh.sftp.local-write-failed"), "\(copy.errorOutput)")
            #expect(!FileManager.default.fileExists(atPath: scratch.path("copy")))
            // SIGXFSZ is 25: the lowest bit of the seventh digit.
            let keeps = "grep -q 'SigIgn:.*[02468ace]......$' /proc/self/status"
            let config = try scratch.write("Match exec \"\(keeps)\"\nUser alice\n", to: "config")
            let started = try await limited(100, ["config", "-F", config, "x"])
            #expect(started.output.contains("user alice"), "\(started.output)\(started.errorOutput)")
        }
    }

    @Test("a running command is ended")
    func endless() async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await full(["run"] + access(box) + ["alice@127.0.0.1", "echo hi; sleep 600"])
        #expect(result.exitStatus == 199)
        #expect(
            words(result).contains("was running. The command's channel was closed, but it may still run."), "\(words(result))")
    }

    @Test("with standard output closed, a run reports that its text is lost", arguments: [[], ["--json"]])
    func closed(options: [String]) async throws {
        let box = try await SharedSandbox.plain.box()
        func run(_ command: String) async throws -> ProcessResult {
            let words = ["run"] + options + (try await access(box)) + ["alice@127.0.0.1", command]
            return try await ProcessRun.run(
                "/bin/sh", ["-c", "exec \"$0\" \"$@\" >&-", try BuiltExecutable.path("bridge-ssh")] + words,
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]))
        }
        let lost = try await run("echo hi")
        #expect(lost.exitStatus == 199 && words(lost).contains("ssh.local.output-failed"), "\(words(lost))")
        if options.isEmpty { #expect(try await run("true").exitStatus == 0) }
    }

    @Test("if the JSON object is lost, a message reports what the command did")
    func json() async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await full(["run", "--json"] + access(box) + ["alice@127.0.0.1", "true"])
        #expect(result.exitStatus == 199)
        #expect(words(result).contains("ran and exited with status 0."), "\(words(result))")
        let failed = try await full(["run", "--json"] + access(box) + ["alice@127.0.0.1", "exit 7"])
        #expect(failed.exitStatus == 7 && words(failed).contains("exited with status 7."), "\(words(failed))")
    }

    @Test("a subcommand whose reader has gone ends like any filter, unless it has failed")
    func readerGone() async throws {
        let gone: [([String], Int32?)] = [
            (["codes"], 141), (["--version"], 141), (["fleet", "hosts", "a[1-3]"], 141), (["explain", "no.such"], 199),
        ]
        for (arguments, status) in gone {
            let result = try await unread(arguments)
            #expect(result.exitStatus == status, "\(arguments): \(result.termination) \(result.errorOutput)")
        }
    }

    @Test("a subcommand whose report is lost fails")
    func reports() async throws {
        let box = try await SharedSandbox.plain.box()
        let access = try await access(box).filter { !["--batch"].contains($0) }
        for arguments in [
            ["doctor"] + access + ["alice@127.0.0.1"], ["codes"], ["codes", "--markdown"], ["config", "-F", "none", "web1"],
            ["explain", "ssh.host-key.changed"], ["classify", "--exit", "0"], ["--version"], ["run", "--help"],
            ["fleet", "hosts", "a[1-3]"], ["fleet", "--help"],
            ["trust", "-F", "none", "-p", "\(box.port)", "--known-hosts", try await box.knownHosts(), "127.0.0.1"],
        ] {
            let result = try await full(arguments)
            #expect(result.exitStatus == 199, "\(arguments): \(result.termination)")
            #expect(words(result).contains("ssh.local.output-failed"), "\(arguments): \(result.errorOutput)")
        }
    }
}
