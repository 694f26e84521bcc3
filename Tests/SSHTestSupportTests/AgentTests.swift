import SSHTestSupport
import Testing

@Suite struct AgentTests {
    private func list(_ socket: String) async throws -> ProcessResult {
        try await ProcessRun.run("ssh-add", ["-L"], environment: .exactly(["SSH_AUTH_SOCK": socket]))
    }

    @Test("an agent holds keys, and can be locked and unlocked") func holdsKeysLocksAndUnlocks() async throws {
        let keys = [try await TestKey.make(), try await TestKey.make(.rsa)]
        try await AgentProcess.run(keys: keys) { agent in
            let listed = try await list(agent.socket).output.split(separator: "\n")
            #expect(listed.count == 2)
            for (line, key) in zip(listed, keys) { #expect(line.hasPrefix(key.publicKey)) }
            try await agent.lock("secret")
            #expect(try await list(agent.socket).output == "The agent has no identities.\n")
            await #expect(throws: (any Error).self) { try await agent.unlock("wrong") }
            try await agent.unlock("secret")
            #expect(try await list(agent.socket).output.split(separator: "\n").count == 2)
            try await agent.removeAll()
            #expect(try await list(agent.socket).exitStatus == 1)
        }
    }

    @Test("a login succeeds through an agent and through a slow one") func logsInThroughTheAgentAndThroughASlowOne() async throws
    {
        let key = try await TestKey.make(name: "agent")
        var options = SSHDSandbox.Options()
        options.authorize(key, for: .alice)
        try await SSHDSandbox.run(options) { box in
            try await AgentProcess.run(keys: [key]) { agent in
                let direct = try await login(box, agent.socket)
                #expect(direct.output == "in\n", "\(direct.errorOutput)")
                let replies: @Sendable (FakeAgent.Request) -> FakeAgent.Reply = { _ in
                    .after(.milliseconds(20), .forward(to: agent.socket))
                }
                try await FakeAgent.run(replies: replies) { slow in
                    let late = try await login(box, slow.socket)
                    #expect(late.output == "in\n", "\(late.errorOutput)")
                    #expect(slow.connectionCount == 1)
                }
            }
        }
    }

    @Test("refuses to sign", arguments: [FakeAgent.Reply.refuse, .close, .garbage])
    func refusesToSign(_ signing: FakeAgent.Reply) async throws {
        let key = try await TestKey.make()
        try await SSHDSandbox.run { box in
            try await FakeAgent.run(identities: [key], signing: signing) { agent in
                let listed = try await list(agent.socket)
                #expect(listed.output == "\(key.publicKey) fake\n")
                let result = try await login(box, agent.socket)
                #expect(result.exitStatus == 255)
                #expect(result.errorOutput.contains("Permission denied"))
            }
        }
    }

    private func login(_ box: SSHDSandbox, _ socket: String) async throws -> ProcessResult {
        let known = try await box.knownHosts()
        return try await ProcessRun.run(
            "ssh",
            ["-F", "none", "-o", "UserKnownHostsFile=\(known)", "-o", "BatchMode=yes", "-o", "IdentityFile=none"]
                + ["-p", "\(box.port)", "alice@\(box.host)", "echo in"],
            environment: .exactly(["PATH": "/usr/bin:/bin", "SSH_AUTH_SOCK": socket]))
    }
}
