import Foundation
import SSHTestSupport
import Testing

@Suite struct SSHDSandboxTests {
    @Test("logs in with a key", arguments: ["127.0.0.1", "::1"]) func logsInWithAKey(_ address: String) async throws {
        var options = SSHDSandbox.Options()
        options.listenAddress = address
        options.hostName = "elsewhere"
        try await SSHDSandbox.run(options) { box in
            let result = try await ssh(box, .alice, "id -un; hostname; ls -A ~")
            #expect(result.output == "alice\nelsewhere\n.ssh\n", "\(result.errorOutput)")
            #expect(result.termination == .exited(0))
        }
    }

    @Test("logs in with a password", arguments: [false, true]) func logsInWithAPassword(_ usePAM: Bool) async throws {
        var options = SSHDSandbox.Options()
        options.usePAM = usePAM
        try await SSHDSandbox.run(options) { box in
            for (password, output) in [("alice-pw", "in\r\n"), ("wrong", "Permission denied")] {
                let result = try await sshTyping(box, password, methods: "password", "echo in")
                #expect(result.output.contains(output), "\(result.output)")
            }
        }
    }

    @Test("answers keyboard-interactive through PAM") func answersKeyboardInteractiveThroughPAM() async throws {
        var options = SSHDSandbox.Options()
        options.usePAM = true
        try await SSHDSandbox.run(options) { box in
            let result = try await sshTyping(box, "alice-pw", methods: "keyboard-interactive", "echo in")
            #expect(result.output.contains("in\r\n"), "\(result.output)")
        }
    }

    @Test("every user behaves as documented") func everyUserBehavesAsDocumented() async throws {
        try await SSHDSandbox.run { box in
            #expect(try await ssh(box, .bob, "echo $0").output == "sh\n")
            #expect(try await ssh(box, .noshell, "true").output.contains("This account is currently not available."))
            #expect(try await ssh(box, .sftponly, "true").output.contains("sftp connections only"))
            for user in [SandboxUser.ghostshell, .locked, .loosekeys, .loosehome] {
                let result = try await ssh(box, user, "true")
                #expect(result.exitStatus == 255, "\(user.name)")
                #expect(result.errorOutput.contains("Permission denied"), "\(user.name): \(result.errorOutput)")
            }
            for reason in [
                "User ghostshell not allowed because shell", "User locked not allowed because account is locked",
                "bad ownership or modes for file /home/loosekeys", "bad ownership or modes for directory /home/loosehome",
            ] { try await box.log.wait(for: reason) }
        }
    }

    @Test("expired accounts are refused through PAM") func expiredAccountsAreRefusedThroughPAM() async throws {
        var options = SSHDSandbox.Options()
        options.usePAM = true
        try await SSHDSandbox.run(options) { box in
            let expired = try await ssh(box, .expired, "echo in")
            #expect(!expired.output.contains("in\n"))
            #expect(expired.errorOutput.contains("password has expired"), "\(expired.errorOutput)")
            let gone = try await ssh(box, .gone, "echo in")
            #expect(gone.exitStatus == 255)
            // The client may end before the log line is written.
            try await box.log.wait(for: "Access denied for user gone by PAM account configuration")
        }
    }

    @Test("applies configuration files and environment") func appliesConfigurationFilesAndEnvironment() async throws {
        var options = SSHDSandbox.Options(
            """
            Banner /etc/issue.net
              Match User bob
                ForceCommand echo forced
            """)
        options.files["/etc/issue.net"] = SandboxFile("authorised only\n")
        options.files["/home/alice/.profile.d/x"] = SandboxFile("mine", mode: 0o640, owner: .alice)
        options.acceptedEnvironment = ["GIVEN_*"]
        options.rekeyLimit = "16K"
        options.hostKeys = [.ecdsa]
        try await SSHDSandbox.run(options) { box in
            let result = try await ssh(
                box, .alice, "echo $GIVEN_X; stat -c '%U %a' ~/.profile.d/x",
                options: ["-o", "SetEnv=GIVEN_X=yes"])
            #expect(result.output == "yes\nalice 640\n")
            #expect(result.errorOutput == "authorised only\n")
            #expect(try await ssh(box, .bob, "true").output == "forced\n")
            #expect(try await ssh(box, .alice, "head -c 100000 /dev/zero").standardOutput.count == 100_000)
            // One key exchange for each of the three connections, and those caused by the limit.
            #expect(box.log.text.components(separatedBy: "SSH2_MSG_KEXINIT received").count - 1 > 3)
            #expect(box.hostKeys.map { $0.publicKey.prefix(11) } == ["ecdsa-sha2-"])
        }
    }

    @Test("only authorized keys get in") func onlyAuthorizedKeysGetIn() async throws {
        let own = try await TestKey.make(.rsa, format: .pem, name: "own")
        var options = SSHDSandbox.Options()
        options.authorize(own, for: .alice, keyOptions: "command=\"echo $SSH_ORIGINAL_COMMAND\"")
        try await SSHDSandbox.run(options) { box in
            let file = try box.identityFile(own)
            #expect(try await ssh(box, .alice, "hello").exitStatus == 255)
            #expect(try await ssh(box, .alice, "hello", identity: file).output == "hello\n")
            #expect(try await ssh(box, .bob, "echo default").output == "default\n")
        }
    }

    @Test("files of a command are visible to the test") func filesOfACommandAreVisibleToTheTest() async throws {
        try await SSHDSandbox.run { box in
            let full = try await ssh(box, .alice, "echo mark >/tmp/mark; head -c 2M /dev/zero >/small/x")
            #expect(full.errorOutput.contains("No space left on device"))
            let mark = try String(contentsOf: box.temporaryDirectory.appendingPathComponent("mark"), encoding: .utf8)
            #expect(mark == "mark\n")
        }
    }

    @Test("the connection servers can be killed alone") func theConnectionServersCanBeKilledAlone() async throws {
        try await SSHDSandbox.run { box in
            let known = try await box.knownHosts()
            let result = try await ProcessRun.run("ssh", sshArguments(box, .alice, known) + ["echo $$; sleep 60"]) { process in
                try await process.standardOutput.wait(for: "\n")
                let inner = process.standardOutput.text.split(separator: "\n").first.flatMap { Int32($0) }
                #expect(box.processes().contains { $0.innerPid == inner && $0.user == SandboxUser.alice.id })
                #expect(!box.connectionServers.isEmpty)
                for server in box.connectionServers { server.send(signal: SIGKILL) }
            }
            #expect(result.exitStatus == 255)
            #expect(try await ssh(box, .alice, "echo still").output == "still\n")
        }
    }

    @Test("stop leaves nothing behind") func stopLeavesNothingBehind() async throws {
        let (pids, directory) = try await SSHDSandbox.run { box in
            // This command would outlive its connection.
            _ = try await ssh(box, .alice, "(trap '' HUP TERM; sleep 300) >/dev/null 2>&1 & echo started")
            let all = box.processes()
            #expect(all.contains { $0.name == "sleep" })
            #expect(box.listener != nil)
            return (all.map(\.pid), box.directory.url)
        }
        #expect(pids.count >= 4)
        for pid in pids { #expect(kill(pid, 0) == -1) }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("another host key name is another server") func anotherHostKeyNameIsAnotherServer() async throws {
        let before = try await SSHDSandbox.run { $0.hostKeys }
        var options = SSHDSandbox.Options()
        #expect(try await SSHDSandbox.run(options) { $0.hostKeys } == before)
        options.hostKeyName = "reinstalled"
        #expect(try await SSHDSandbox.run(options) { $0.hostKeys } != before)
    }

    @Test("writes known_hosts", arguments: [false, true]) func writesKnownHosts(_ hashed: Bool) async throws {
        try await SSHDSandbox.run { box in
            let good = try await box.knownHosts(hashed: hashed)
            #expect(try String(contentsOfFile: good, encoding: .utf8).contains("|1|") == hashed)
            #expect(try await ssh(box, .alice, "true", known: good).exitStatus == 0)
            let wrong = try await box.knownHosts(keys: [TestKey.make(name: "wrong").publicKey], hashed: hashed)
            #expect(try await ssh(box, .alice, "true", known: wrong).errorOutput.contains("IDENTIFICATION HAS CHANGED"))
            let revoked = try await box.knownHosts(marker: "@revoked")
            #expect(try await ssh(box, .alice, "true", known: revoked).errorOutput.contains("revoked"))
        }
    }

    @Test("start failure has the log") func startFailureHasTheLog() async throws {
        let failure = await #expect(throws: SSHDSandbox.StartFailed.self) {
            try await SSHDSandbox.run(SSHDSandbox.Options("NoSuchKeyword yes")) { _ in }
        }
        #expect(failure?.log.contains("NoSuchKeyword") == true)
        var options = SSHDSandbox.Options()
        options.sshd = "/usr/sbin/no-such-sshd"
        let missing = await #expect(throws: MissingTool.self) { try await SSHDSandbox.run(options) { _ in } }
        #expect(missing?.description.contains("no-such-sshd is missing") == true)
    }
}
