import SSHTestSupport
import Testing

/// Settings of ssh and the messages about them, with the executable on a real sshd.
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
            // Variables sent because of the configuration are not reported.
            let configured = try await run(box, ["-o", "SetEnv=GREETING=hello"], "true").errorOutput
            #expect(configured.isEmpty)
        }
    }

    @Test("BindAddress sets the connection's source address") func bindAddress() async throws {
        try await SSHDSandbox.run { box in
            let other = try await run(box, ["-o", "BindAddress=127.0.0.9"], "echo $SSH_CONNECTION")
            #expect(other.output.hasPrefix("127.0.0.9 "), "\(other.output) \(other.errorOutput)")
            let name = try await run(box, ["-o", "BindAddress=here"], "true")
            #expect(name.exitStatus == 199 && name.errorOutput.contains("BindAddress"))
            // An address that this machine does not have.
            let foreign = try await run(box, ["-o", "BindAddress=192.0.2.1"], "true")
            #expect(foreign.exitStatus == 193, "\(foreign.errorOutput)")
        }
    }

    @Test("PubkeyAcceptedAlgorithms decides which keys are offered") func acceptedAlgorithms() async throws {
        try await SSHDSandbox.run { box in
            let other = try await run(box, ["-o", "PubkeyAcceptedAlgorithms=ecdsa-sha2-nistp256"], "true")
            #expect(other.exitStatus == 197 && other.errorOutput.contains("ssh.auth.no-credentials"), "\(other.errorOutput)")
            #expect(other.errorOutput.contains("PubkeyAcceptedAlgorithms"), "\(other.errorOutput)")
            let own = try await run(box, ["-o", "PubkeyAcceptedAlgorithms=ssh-ed25519"], "true")
            #expect(own.exitStatus == 0, "\(own.errorOutput)")
        }
    }

    @Test("StdinNull gives the command no input, and - means standard input") func standardInput() async throws {
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

    @Test("a list without an algorithm of libssh2 is named, with its line")
    func algorithms() async throws {
        try await SSHDSandbox.run { box in
            try await ScratchDirectory.with { scratch in
                let file = try scratch.write("Host *\n  MACs umac-64@openssh.com\n", to: "config")
                let result = try await run(box, ["-F", file], "true")
                #expect(result.exitStatus == 199, "\(result.errorOutput)")
                #expect(result.errorOutput.contains("ssh.local.unsupported"), "\(result.errorOutput)")
                #expect(result.errorOutput.contains("\(file):2: MACs: libssh2"), "\(result.errorOutput)")
            }
            let option = try await run(box, ["-o", "MACs=umac-64@openssh.com"], "true")
            #expect(option.exitStatus == 199 && option.errorOutput.contains("-o MACs=umac-64@openssh.com: MACs: libssh2"))
            let part = try await run(box, ["-v", "-o", "MACs=umac-64@openssh.com,hmac-sha2-256"], "true")
            #expect(part.exitStatus == 0, "\(part.errorOutput)")
            let note = "libssh2 does not have umac-64@openssh.com, which is left out"
            #expect(part.errorOutput.contains(note), "\(part.errorOutput)")
        }
    }

    @Test("a missing identity is named although another logs in") func missingIdentity() async throws {
        try await SSHDSandbox.run { box in
            let said = try await run(box, ["-i", "/missing/identity"], "true")
            #expect(said.exitStatus == 0)
            #expect(said.errorOutput.contains("The identity /missing/identity is not used"), "\(said.errorOutput)")
            let quiet = try await run(box, ["-q", "-i", "/missing/identity"], "true")
            #expect(quiet.errorOutput.isEmpty)
        }
    }

    @Test("ignored settings that matter, and unknown lines that apply, are named; others are shown with -v")
    func namedSettings() async throws {
        try await SSHDSandbox.run { box in
            let bound = try await run(box, ["-o", "BindInterface=lo"], "true").errorOutput
            #expect(bound.contains("BindInterface has no effect here (-o BindInterface=lo)"), "\(bound)")
            let none = try await run(box, ["-o", "SessionType=none"], "true").errorOutput
            #expect(none.contains("SessionType has no effect here (-o SessionType=none): ssh would run no command"), "\(none)")
            let local = ["-o", "LocalCommand=touch x"]
            #expect(try await run(box, local, "true").errorOutput.isEmpty)
            let permitted = try await run(box, local + ["-o", "PermitLocalCommand=yes"], "true").errorOutput
            #expect(permitted.contains("LocalCommand has no effect here (-o 'LocalCommand=touch x')"), "\(permitted)")
            try await ScratchDirectory.with { scratch in
                let file = try scratch.write("Colour blue\nVisualHostKey yes\nHost other\nShape round\n", to: "config")
                let said = try await run(box, ["-F", file], "true")
                #expect(said.exitStatus == 0)
                #expect(said.errorOutput.contains("\(file):1: the keyword colour is unknown"), "\(said.errorOutput)")
                #expect(!said.errorOutput.contains("shape") && !said.errorOutput.contains("visualhostkey"), "\(said.errorOutput)")
                #expect(try await run(box, ["-q", "-F", file], "true").errorOutput.isEmpty)
                let curious = try await run(box, ["-v", "-F", file], "true").errorOutput
                #expect(curious.contains("shape") && curious.contains("visualhostkey"), "\(curious)")
            }
        }
    }

    @Test("after ^C the message shows what the run waits for and what a second ^C does")
    func interrupted() async throws {
        try await SSHDSandbox.run { box in
            var testRun = try await box.testRun(.alice, "trap '' INT HUP TERM; echo begun; sleep 600")
            testRun.command = "trap '' INT HUP TERM; echo begun; while :; do sleep 1; done"
            let result = try await testRun.onTerminal { process in
                try await process.standardOutput.wait(for: "begun")
                try await process.write("\u{3}")
                // Before libssh2 1.11 no signal can be sent, and there is nothing to wait for.
                guard InstalledLibrary.is111 else { return }
                try await process.standardOutput.wait(for: "press Ctrl-C again to leave at once")
                try await process.write("\u{3}")
            }
            #expect(result.exitStatus == 130, "\(result.output)")
        }
    }
}
