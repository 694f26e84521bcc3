import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// OpenSSH's ssh as the carrier: the parts that bridge-ssh still does itself. The faults themselves are those of ``ViaMatrix``.
@Suite("Via ssh") struct ViaSSHTests {
    private func run(
        _ testRun: TestRun, _ options: [String] = [], body: (@Sendable (RunningProcess) async throws -> Void)? = nil
    ) async throws -> ProcessResult {
        try await testRun.byExecutable(["--via", "ssh"] + options, body: body)
    }

    @Test("both streams and input pass unaltered, and the status is the command's") func streams() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun(.alice, "cat; printf 'e\\0r' >&2; exit 7")
        testRun.input = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let result = try await run(testRun)
        #expect(result.termination == .exited(7))
        #expect(Array(result.standardOutput) == testRun.input)
        #expect(Array(result.standardError) == Array("e\0r".utf8))
    }

    @Test(
        "the command is run and awaited, even if the configuration requests another kind of session",
        arguments: ["SessionType=none", "SessionType=subsystem", "ForkAfterAuthentication=yes"])
    func foreground(_ setting: String) async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await run(box.testRun(.alice, "echo here; exit 7"), ["-o", setting])
        #expect(result.termination == .exited(7) && result.output == "here\n", "\(result.errorOutput)")
        #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
    }

    @Test("~ is the home directory of the environment, as without --via", arguments: [nil, "~/keys/own"])
    func home(_ identity: String?) async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { home in
            let key = try String(contentsOfFile: box.clientKeyFile, encoding: .utf8)
            let known = try String(contentsOfFile: try await box.knownHosts(), encoding: .utf8)
            let directory = home.path(identity == nil ? ".ssh" : "keys")
            for name in [directory, home.path(".ssh")] {
                try FileManager.default.createDirectory(atPath: name, withIntermediateDirectories: true)
            }
            let file = directory + (identity == nil ? "/id_ed25519" : "/own")
            try Data(key.utf8).write(to: URL(fileURLWithPath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            try Data(known.utf8).write(to: URL(fileURLWithPath: home.path(".ssh/known_hosts")))
            let options = identity.map { ["-o", "IdentityFile=\($0)"] } ?? []
            for via in [[], ["--via", "ssh"]] {
                let result = try await ProcessRun.run(
                    try BuiltExecutable.path("bridge-ssh"),
                    ["run", "--batch", "-p", "\(box.port)"] + via + options + ["alice@\(box.host)", "echo here"],
                    environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path]))
                #expect(result.exitStatus == 0 && result.output == "here\n", "\(via) \(result.errorOutput)")
            }
        }
    }

    @Test("settings that ssh follows are not said to have no effect") func followed() async throws {
        let box = try await SharedSandbox.plain.box()
        for options in [["-o", "BindInterface=lo"], ["-v", "-o", "Compression=yes"]] {
            let result = try await run(box.testRun(.alice, "true"), options)
            #expect(result.termination == .exited(0) && !result.errorOutput.contains("no effect"), "\(result.errorOutput)")
        }
    }

    @Test("a stalled key exchange ends at bridge-ssh's deadline") func stall() async throws {
        try await FaultServer.run(.says("SSH-2.0-OpenSSH_9.2\r\n", then: .waits)) { server in
            let result = try await Patience.run(5, isElsewhere: { $0.failure == .bannerTimedOut }) { seconds in
                try await run(server.testRun(connectTimeout: seconds), ["--json"])
            }
            let error = try JSON(parsing: Data(result.standardOutput))["error"]
            #expect(error?["code"]?.text == "ssh.kex.timed-out", "\(result.output)")
            #expect(error?["evidence"]?["libraryVersion"] == nil && error?["evidence"]?["library"] == nil)
        }
    }

    @Test("options that ssh does not have are refused by name", arguments: ["--drain 1", "--persist 10m"])
    func refused(_ option: String) async throws {
        let box = try await SharedSandbox.plain.box()
        let words = option.split(separator: " ").map(String.init)
        let result = try await run(try await box.testRun(), words + ["--json"])
        let error = try JSON(parsing: Data(result.standardOutput))["error"]
        #expect(
            error?["code"]?.text == "ssh.local.usage" && error?["message"]?.text?.hasPrefix(words[0]) == true, "\(result.output)")
        #expect(error?["message"]?.text?.contains("--via ssh") == true)
    }

    @Test("a cancelled run leaves no process behind", arguments: [SIGINT, SIGTERM])
    func cancelled(_ signal: Int32) async throws {
        let box = try await SharedSandbox.plain.box()
        let mark = "via-\(UUID().uuidString)"
        let testRun = try await box.testRun(.alice, "echo running; sleep 300 # \(mark)")
        let result = try await run(testRun) { process in
            try await process.standardOutput.wait(for: "running")
            process.send(signal: signal)
        }
        #expect(result.termination == .exited(128 + signal))
        let processes = try await ProcessRun.run("ps", ["-eo", "args"])
        #expect(!processes.output.split(separator: "\n").contains { $0.contains("/ssh -E") && $0.contains(mark) })
    }

    @Test("a password goes through askpass, and appears nowhere") func secrets() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun(.alice, "env; echo done")
        testRun.identities = []
        testRun.password = "alice-pw"
        let result = try await run(testRun)
        #expect(result.termination == .exited(0) && result.output.hasSuffix("done\n"), "\(result.errorOutput)")
        #expect(!result.output.contains("alice-pw"))
    }

    @Test("a configuration is found by a relative path, and by one with characters of a pattern, a token and a variable")
    func configurationPath() async throws {
        let box = try await SharedSandbox.plain.box()
        let knownHosts = try await box.knownHosts()
        try await ScratchDirectory.with { scratch in
            try scratch.write(
                """
                Host box
                    HostName 127.0.0.1
                    Port \(box.port)
                    User alice
                    IdentityFile \(box.clientKeyFile)
                    IdentitiesOnly yes
                    UserKnownHostsFile \(knownHosts)

                """, to: "my [1]* %h ${X} \\config")
            let result = try await ProcessRun.run(
                try BuiltExecutable.path("bridge-ssh"),
                ["run", "-F", "my [1]* %h ${X} \\config", "--via", "ssh", "box", "echo here"],
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": scratch.url.path]), directory: scratch.url.path)
            #expect(result.output == "here\n", "\(result.errorOutput)")
        }
    }

    @Test("closed logins of an sshd without PAM are the failure that run names, and a command's own text is not")
    func closedLogins() async throws {
        try await SSHDSandbox.run { box in
            let words = "Closed for maintenance until noon."
            let command = try await run(try await box.testRun(.alice, "echo '\(words)' >&2; exit 254"), ["--json"])
            #expect(command.termination == .exited(254), "\(command.errorOutput)")
            try box.put(words + "\n", at: "/etc/nologin")
            let result = try await run(try await box.testRun(.alice, "echo hi"), ["--json"])
            #expect(result.termination == .exited(193), "\(result.errorOutput)")
            let error = try JSON(parsing: Data(result.standardOutput))["error"]
            #expect(error?["code"]?.text == "ssh.auth.logins-closed" && error?["message"]?.text?.contains(words) == true)
        }
    }

    @Test("a jump host that refuses is the one that is named") func jump() async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await run(try await box.testRun(), ["--json", "-J", "alice@127.0.0.1:1"])
        let error = try JSON(parsing: Data(result.standardOutput))["error"]
        #expect(error?["code"]?.text == "ssh.connect.refused" && error?["message"]?.text?.contains("port 1 ") == true)
    }

    @Test("a file copied there and back is unchanged") func copies() async throws {
        let box = try await SharedSandbox.plain.box()
        let folder = try box.folder("via-\(UUID().uuidString)")
        try await ScratchDirectory.with { home in
            let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 17) }
            try Data(bytes).write(to: URL(fileURLWithPath: home.path("up")))
            let there = "alice@127.0.0.1:\(folder.lastPathComponent)/file"
            try await ProcessRun.check("chown", ["-R", "--reference", box.url(of: "/home/alice").path, folder.path])
            let up = try await box.copy(["--via", "ssh", "--json", home.path("up"), there], home: home)
            #expect(up.termination == .exited(0), "\(up.output) \(up.errorOutput)")
            #expect(try JSON(parsing: Data(up.standardOutput))["via"] == .string("ssh"))
            // Settings with which ssh would make another session, in the background, without input.
            let others = ["SessionType=none", "ForkAfterAuthentication=yes", "StdinNull=yes"].flatMap { ["-o", $0] }
            let down = try await box.copy(["--via", "ssh"] + others + [there, home.path("down")], home: home)
            #expect(down.termination == .exited(0), "\(down.errorOutput)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: home.path("down"))) == Data(bytes))
            let missing = try await box.copy(["--via", "ssh", "alice@127.0.0.1:nothing", home.path("no")], home: home)
            #expect(missing.errorOutput.contains("ssh.sftp.no-such-file"))
        }
    }

    /// A copy to `h1` that takes long; `during` is called when it has begun to write the file.
    private func longCopy(
        _ fixture: FleetFixture, during: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        let source = try fixture.write(String(repeating: "x", count: 8 << 20), to: "source")
        let words = try await fixture.words(["copy", "--via", "ssh", "--limit-rate", "1M", source, "h1:copied"])
        let home = fixture.box.url(of: "/home/alice")
        return try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), words, environment: fixture.environment
        ) { process in
            try await FleetFixture.waitForPartial(in: home)
            try await during(process)
        }
    }

    @Test("a copy that a signal ends leaves no unfinished file") func endedCopy() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let result = try await longCopy(fixture) { $0.send(signal: SIGINT) }
            #expect(result.exitStatus == 130, "\(result.errorOutput)")
            #expect(try FleetFixture.partials(in: fixture.box.url(of: "/home/alice")).isEmpty)
        }
    }

    @Test("a copy ends when its ssh ends, and says that the connection was lost") func lostCopy() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let result = try await longCopy(fixture) { process in
                let children = try await ProcessRun.run("ps", ["-o", "pid=", "--ppid", "\(process.pid)"]).output
                for child in children.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) { kill(child, SIGKILL) }
            }
            #expect(result.exitStatus != 0 && result.errorOutput.contains("ssh."), "\(result.termination) \(result.errorOutput)")
        }
    }

    @Test("a run that is ended does not wait for a reader that has stalled") func stalledReader() async throws {
        let box = try await SharedSandbox.plain.box()
        let testRun = try await box.testRun()
        try await ScratchDirectory.with { home in
            let options = ["run", "--via", "ssh", "--timeout", "2"]
            let words = try options + testRun.access(secretsIn: home) + [testRun.host, "--", "yes"]
            let command = "(\"$@\"; echo \"ended $?\" >&2) | sleep 600"
            let result = try await ProcessRun.run(
                "/bin/sh", ["-c", command, "sh", try BuiltExecutable.path("bridge-ssh")] + words,
                environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": home.url.path])
            ) { process in
                try await process.standardError.wait(for: "ended 194")
                let children = try await ProcessRun.run("ps", ["-o", "pid=", "--ppid", "\(process.pid)"]).output
                for child in children.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) { kill(child, SIGTERM) }
            }
            #expect(result.errorOutput.contains("ssh.command.timed-out"), "\(result.errorOutput)")
        }
    }

    @Test("a fleet runs and checks, with its journal") func fleet() async throws {
        let box = try await SharedSandbox.plain.box()
        try await ScratchDirectory.with { home in
            var fixture = FleetFixture(box, home: home)
            fixture.add("web1")
            fixture.add("web2", port: 1)
            let result = try await fixture.fleet(
                ["run", "--via", "ssh", "--output", "jsonl", "web[1-2]", "--", "echo here"])
            let lines = try result.output.split(separator: "\n").map { try JSON(parsing: Data($0.utf8)) }
            let ends = lines.filter { $0["event"] == .string("ended") }.compactMap { $0["result"] }
            #expect(ends.count == 2 && ends.allSatisfy { $0["via"] == .string("ssh") }, "\(result.output) \(result.errorOutput)")
            #expect(ends.contains { $0["stdout"] == .string("here\n") })
            #expect(ends.contains { $0["error"]?["code"]?.text == "ssh.connect.refused" })
            for setting in ["SessionType=subsystem", "ForkAfterAuthentication=yes"] {
                let check = try await fixture.fleet(["check", "--via", "ssh", "-o", setting, "web1"])
                #expect(check.termination == .exited(0), "\(check.errorOutput)")
            }
        }
    }
}
