import SSHTestSupport
import Testing

/// Settings of ssh and words about them, with the executable on a real sshd.
@Suite("Settings on a real sshd") struct SSHSettingTests {
    private func run(_ box: SSHDSandbox, _ options: [String], input: String = "", _ command: String) async throws -> ProcessResult
    {
        let access = [
            "run", "-F", "none", "--batch", "--agent", "none", "-p", "\(box.port)", "-i", box.clientKeyFile, "--identities-only",
            "--known-hosts", try await box.knownHosts(),
        ]
        return try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), access + options + ["alice@\(box.host)", command],
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]), input: .bytes(Array(input.utf8)))
    }

    @Test("a variable that the server refuses is reported, unless -q is given") func refusedVariable() async throws {
        try await SSHDSandbox.run { box in
            let said = try await run(box, ["--env", "GREETING=hello"], "echo $GREETING")
            #expect(said.exitStatus == 0 && said.output == "\n")
            #expect(said.errorOutput.contains("refused to set GREETING"), "\(said.errorOutput)")
            let quiet = try await run(box, ["-q", "--env", "GREETING=hello"], "true").errorOutput
            #expect(quiet.isEmpty)
            // What the configuration sends unasked is no surprise.
            let configured = try await run(box, ["-o", "SetEnv=GREETING=hello"], "true").errorOutput
            #expect(configured.isEmpty)
        }
    }

    @Test("BindAddress is where the connection comes from") func bindAddress() async throws {
        try await SSHDSandbox.run { box in
            let other = try await run(box, ["-o", "BindAddress=127.0.0.9"], "echo $SSH_CONNECTION")
            #expect(other.output.hasPrefix("127.0.0.9 "), "\(other.output) \(other.errorOutput)")
            let name = try await run(box, ["-o", "BindAddress=here"], "true")
            #expect(name.exitStatus == 199 && name.errorOutput.contains("BindAddress"))
            // Not an address of this machine.
            let foreign = try await run(box, ["-o", "BindAddress=192.0.2.1"], "true")
            #expect(foreign.exitStatus == 193, "\(foreign.errorOutput)")
        }
    }

    @Test("StdinNull gives the command nothing to read, and - is our own input") func standardInput() async throws {
        try await SSHDSandbox.run { box in
            let byDefault = try await run(box, [], input: "text", "cat").output
            #expect(byDefault == "text")
            let dash = try await run(box, ["--stdin", "-"], input: "text", "cat").output
            #expect(dash == "text")
            let null = try await run(box, ["-o", "StdinNull=yes"], input: "text", "cat").output
            #expect(null.isEmpty)
            let dashOverNull = try await run(box, ["-o", "StdinNull=yes", "--stdin", "-"], input: "text", "cat").output
            #expect(dashOverNull == "text")
        }
    }
}
