import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// The stand-in's report after ssh has ended.
@Suite("Verdicts of a stand-in for ssh") struct StandInVerdictTests {
    private func call(_ options: [String], _ command: [String] = ["true"], port: Int? = nil) async throws -> StandInCall {
        let box = try await SharedSandbox.plain.box()
        return StandInCall(words: options + (try await StandInCall.options(box, port: port)) + ["alice@127.0.0.1"] + command)
    }

    @Test("the verdict is one line after ssh's own, with ssh's status") func line() async throws {
        let result = try await call(["-p", "1"]).byStandIn()
        #expect(result.termination == .exited(255))
        let lines = result.errorOutput.split(whereSeparator: \.isNewline)
        #expect(lines.count == 2 && lines[0] == "ssh: connect to host 127.0.0.1 port 1: Connection refused")
        #expect(lines.last?.hasPrefix("bridge-ssh: ssh.connect.refused: ") == true && lines.last?.contains(" Remedy: ") == true)
    }

    @Test("environment variables set the verdict's form and status") func environment() async throws {
        var call = try await self.call(["-p", "1"])
        call.environment = ["BRIDGE_SSH_VERDICT": "off"]
        #expect(try await call.byStandIn().wordsOfSSH == call.bySSH().errorOutput)
        call.environment = ["BRIDGE_SSH_VERDICT": "banner", "BRIDGE_SSH_STATUS": "codes"]
        let banner = try await call.byStandIn()
        #expect(banner.termination == .exited(193) && banner.errorOutput.contains("Connection Refused"))
        call.environment = ["BRIDGE_SSH_STATUS": "codes"]
        let own = try await self.call([], ["exit 255"]).byStandIn()
        #expect(own.termination == .exited(255) && own.errorOutput == "")
    }

    @Test(
        "codes of failures",
        arguments: [
            (["-o", "UserKnownHostsFile=/dev/null"], "ssh.host-key.unknown"), (["-p", "1"], "ssh.connect.refused"),
            (["-o", "IdentityFile=none", "-o", "PubkeyAuthentication=no"], "ssh.auth.no-credentials"),
            (["-o", "Nonsense=yes"], "ssh.local.usage"),
            (["-q", "-p", "1"], "ssh.connect.refused"), (["-o", "LogLevel=ERROR", "-p", "1"], "ssh.connect.refused"),
            (["-o", "KexAlgorithms=diffie-hellman-group1-sha1"], "ssh.kex.no-common-kex"),
            (["-o", "ProxyCommand=false"], "ssh.connect.proxy-failed"),
        ])
    func codes(_ options: [String], _ code: String) async throws {
        let (verdict, result) = try await call(options).verdict()
        #expect(verdict["error"]?["code"]?.text == code, "\(result.errorOutput)")
        #expect(verdict["endedBy"]?.text == "ssh" && verdict["exitStatus"]?.double == 255)
    }

    @Test("a verdict file that is a named pipe, whose reader takes nothing, does not hold the call") func fullPipe() async throws
    {
        try await ScratchDirectory.with { scratch in
            let path = scratch.path("verdict")
            try #require(mkfifo(path, 0o600) == 0)
            let ends = open(path, O_RDWR | O_NONBLOCK)
            defer { close(ends) }
            while write(ends, "x", 1) == 1 {}
            var call = try await self.call(["-p", "1"])
            call.environment["BRIDGE_SSH_VERDICT_FILE"] = path
            let result = try await call.byStandIn()
            #expect(result.termination == .exited(255) && result.errorOutput.contains("its reader reads nothing"), "\(result)")
        }
    }

    @Test("an endless answer to the question for ssh's settings does not hold the call") func endlessSettings() async throws {
        try await ScratchDirectory.with { scratch in
            try scratch.write("#!/bin/sh\n[ \"$1\" != -G ] || yes\nexit 255\n", to: "ssh", mode: 0o755)
            let call = StandInCall(words: ["web1"], environment: ["BRIDGE_SSH_OPENSSH": scratch.path("ssh")])
            #expect(try await call.byStandIn().termination == .exited(255))
        }
    }

    @Test("a named key that is missing") func missingKey() async throws {
        let box = try await SharedSandbox.plain.box()
        let words = try await StandInCall.options(box).map { $0 == box.clientKeyFile ? "/missing/key" : $0 }
        let (verdict, _) = try await StandInCall(words: words + ["alice@127.0.0.1", "true"]).verdict()
        #expect(verdict["error"]?["code"]?.text == "ssh.key.not-found")
    }

    @Test("a changed host key, and one of a type that is not yet known") func hostKeys() async throws {
        let box = try await SharedSandbox.plain.box()
        let other = try await TestKey.make(name: "other")
        let rsa = try await TestKey.make(.rsa, name: "rsa")
        let cases = [
            ([other], "ssh.host-key.changed"), ([rsa], "ssh.host-key.other-type-known"), ([other, rsa], "ssh.host-key.changed"),
        ]
        for (keys, code) in cases {
            let known = try await box.knownHosts(keys: keys.map(\.publicKey))
            let (verdict, result) = try await call(
                ["-o", "UserKnownHostsFile=\(known)", "-o", "HostKeyAlgorithms=ssh-ed25519"]
            ).verdict()
            #expect(verdict["error"]?["code"]?.text == code, "\(result.errorOutput)")
            #expect(verdict["error"]?["confidence"]?.text == "exact")
        }
    }

    @Test("a blank line among ssh's settings, as of a program that Match exec runs") func blankLine() async throws {
        let box = try await SharedSandbox.plain.box()
        let known = try await box.knownHosts(keys: [try await TestKey.make(.rsa, name: "rsa").publicKey])
        try await ScratchDirectory.with { scratch in
            try scratch.write("#!/bin/sh\n[ \"$1\" != -G ] || echo ' '\nexec /usr/bin/ssh \"$@\"\n", to: "ssh", mode: 0o755)
            var call = try await self.call(["-o", "UserKnownHostsFile=\(known)", "-o", "HostKeyAlgorithms=ssh-ed25519"])
            call.environment["BRIDGE_SSH_OPENSSH"] = scratch.path("ssh")
            let (verdict, result) = try await call.verdict()
            #expect(verdict["error"]?["code"]?.text == "ssh.host-key.other-type-known", "\(result.errorOutput)")
        }
    }

    @Test("an account that has ended, whose message ssh shows and does not log") func endedAccount() async throws {
        var options = SSHDSandbox.Options()
        options.usePAM = true
        try await SSHDSandbox.run(options) { box in
            let call = StandInCall(words: try await StandInCall.options(box) + ["gone@127.0.0.1", "true"])
            let (verdict, result) = try await call.verdict()
            #expect(verdict["error"]?["code"]?.text == "ssh.auth.account-denied", "\(result.errorOutput)")
            #expect(verdict["error"]?["confidence"]?.text == "likely" && result.wordsOfSSH.contains("Your account has expired"))
        }
    }

    @Test("an agent without keys, and nothing else to offer") func emptyAgent() async throws {
        let box = try await SharedSandbox.plain.box()
        try await AgentProcess.run { agent in
            let own = ["-F", "none", "-o", "IdentityFile=none", "-o", "IdentityAgent=\(agent.socket)"]
            let words = own + (try await StandInCall.options(box)).dropFirst(2).filter { $0 != "-i" && $0 != box.clientKeyFile }
            let (verdict, result) = try await StandInCall(words: words + ["alice@127.0.0.1", "true"]).verdict()
            #expect(verdict["error"]?["code"]?.text == "ssh.agent.empty", "\(result.errorOutput)")
        }
    }

    @Test(
        "whether a status is ssh's or the command's",
        arguments: [("exit 255", "remote", 255), ("exit 3", "remote", 3), ("kill -9 $$", "ssh", 255), ("true", "remote", 0)])
    func endings(_ command: String, _ ending: String, _ status: Int) async throws {
        let (verdict, result) = try await call([], [command]).verdict()
        #expect(verdict["endedBy"]?.text == ending && verdict["exitStatus"]?.double == Double(status))
        #expect(verdict["outcome"]?.text == (status == 0 ? "succeeded" : "failed"))
        #expect(result.errorOutput.contains("bridge-ssh: ") == (ending == "ssh"), "\(result.errorOutput)")
    }

    @Test("once a session was requested, nothing is tried again: ssh may have read its input") func requested() async throws {
        let script = ServerScript().on(.channel, .refuseChannel(reason: 4, text: "no room"))
        try await ScriptedServer.run(script) { server in
            let options = [
                "-F", "none", "-p", "\(server.port)", "-o", "BatchMode=yes", "-o", "UserKnownHostsFile=\(server.knownHosts)",
            ]
            let result = try await StandInCall(words: options + ["alice@127.0.0.1", "true"]).byStandIn(["--retries", "2", "--"])
            #expect(result.exitStatus == 255 && result.errorOutput.contains("bridge-ssh: ssh.channel."), "\(result)")
            #expect(server.connectionCount == 1)
        }
    }

    @Test("a connection lost while a command runs is not retried; ssh reports it on standard error only") func lost() async throws
    {
        let box = try await SharedSandbox.plain.box()
        try await FaultProxy.run(to: box.port) { proxy in
            try await ScratchDirectory.with { scratch in
                // A second run would end at once.
                let command = "mkdir ran-\(UUID().uuidString) && echo begun && sleep 1000"
                var call = try await self.call([], [command], port: proxy.port)
                call.environment["BRIDGE_SSH_VERDICT_FILE"] = scratch.path("verdict")
                let result = try await call.byStandIn(["--retries", "2", "--"]) { process in
                    try await process.standardOutput.wait(for: "begun")
                    await proxy.trigger(.reset)
                }
                #expect(result.termination == .exited(255))
                #expect(result.errorOutput.contains("bridge-ssh: ssh.session.connection-lost: "), "\(result.errorOutput)")
                #expect(!result.errorOutput.contains("attempt"), "\(result.errorOutput)")
            }
        }
    }

    @Test("it retries if no session was requested, with unread input") func retries() async throws {
        let box = try await SharedSandbox.plain.box()
        try await FaultProxy.run(to: box.port, fault: .init(.reset, afterServerBytes: 0), onFirst: 1) { proxy in
            // Only the first connection has the fault.
            var call = StandInCall(
                words: try await StandInCall.options(box, port: proxy.port) + ["alice@127.0.0.1", "cat"],
                input: .bytes(Array("all of it".utf8)))
            let result = try await call.byStandIn(["--retries", "2", "--"])
            #expect(result.termination == .exited(0) && result.output == "all of it", "\(result.errorOutput)")
            #expect(result.errorOutput.contains("bridge-ssh: attempt 1 of 3: ssh."))
            call.words =
                ["-o", "UserKnownHostsFile=/dev/null"] + (try await StandInCall.options(box)) + ["alice@127.0.0.1", "cat"]
            let (refused, _) = try await call.verdict(["--retries", "2", "--"])
            #expect(refused["attempts"]?.double == 1)
        }
    }

    @Test(
        "the object of every call follows docs/json-schema-ssh.json", arguments: ["true", "exit 3", "exit 255", "sleep 0"])
    func schema(_ command: String) async throws {
        let schema = try JSONSchema.named("json-schema-ssh.json")
        for options in [[], ["-p", "1"]] {
            let (verdict, _) = try await call(options, [command]).verdict()
            #expect(schema.faults(verdict) == [])
        }
    }
}
