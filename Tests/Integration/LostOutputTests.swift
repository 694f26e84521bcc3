import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Standard output that cannot be written: whatever was asked for has not succeeded.
@Suite("Standard output on a full device")
struct LostOutputTests {
    /// Runs the executable with its standard output on a device without space.
    private func full(_ arguments: [String], home: String = "/nonexistent") async throws -> ProcessResult {
        try await ProcessRun.run(
            "/bin/sh", ["-c", "exec \"$0\" \"$@\" > /dev/full", try BuiltExecutable.path("bridge-ssh")] + arguments,
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8"]))
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

    @Test("a command's status is reported, and is not the run's", arguments: [("echo hi", 0), ("echo hi; exit 3", 3)])
    func command(line: String, status: Int) async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await full(["run"] + access(box) + ["alice@127.0.0.1", line])
        #expect(result.exitStatus == 199)
        let text = words(result)
        #expect(text.contains("ssh.local.output-failed") && text.contains("no space left"), "\(text)")
        #expect(text.contains("ran and exited with status \(status)."), "\(text)")
    }

    @Test("a command that goes on is ended")
    func endless() async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await full(["run"] + access(box) + ["alice@127.0.0.1", "echo hi; sleep 600"])
        #expect(result.exitStatus == 199)
        #expect(
            words(result).contains("was running. The command's channel was closed, but it may still run."), "\(words(result))")
    }

    @Test("a JSON object that is lost says what the command did")
    func json() async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await full(["run", "--json"] + access(box) + ["alice@127.0.0.1", "true"])
        #expect(result.exitStatus == 199)
        #expect(words(result).contains("ran and exited with status 0."), "\(words(result))")
        let failed = try await full(["run", "--json"] + access(box) + ["alice@127.0.0.1", "exit 7"])
        #expect(failed.exitStatus == 7 && words(failed).contains("exited with status 7."), "\(words(failed))")
    }

    @Test("a subcommand whose report is lost fails")
    func reports() async throws {
        let box = try await SharedSandbox.plain.box()
        let access = try await access(box).filter { !["--batch"].contains($0) }
        for arguments in [
            ["doctor"] + access + ["alice@127.0.0.1"], ["codes"], ["codes", "--markdown"], ["config", "-F", "none", "web1"],
            ["explain", "ssh.host-key.changed"], ["classify", "--exit", "0"], ["--version"], ["run", "--help"],
            ["trust", "-F", "none", "-p", "\(box.port)", "--known-hosts", try await box.knownHosts(), "127.0.0.1"],
        ] {
            let result = try await full(arguments)
            #expect(result.exitStatus == 199, "\(arguments): \(result.termination)")
            #expect(words(result).contains("ssh.local.output-failed"), "\(arguments): \(result.errorOutput)")
        }
    }
}
