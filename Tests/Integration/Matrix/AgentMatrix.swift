import BridgeSSH
import SSHTestSupport
import Testing

/// Agents, real and misbehaving.
@Suite("Matrix: agents") struct AgentMatrix {
    @Test("every kind of key signs by the agent", arguments: TestKeyKind.allCases)
    func signs(kind: TestKeyKind) async throws {
        let key = try await TestKey.make(kind)
        try await AgentProcess.run(keys: [key]) { agent in
            let test = SSHDCase("\(kind)", .success, options: { $0.authorize(key, for: .alice) }) { $1.use(agent: agent.socket) }
            try await test.check()
        }
    }

    @Test("an encrypted identity whose public half the agent holds needs no passphrase")
    func encryptedIdentity() async throws {
        let locked = try await TestKey.make(passphrase: "the-passphrase", name: "held")
        try await ScratchDirectory.with { scratch in
            let path = try locked.write(to: scratch, as: "id")
            // The same key without its passphrase, for the agent.
            let open = try locked.write(to: scratch, as: "open")
            try await ProcessRun.check("ssh-keygen", ["-q", "-p", "-P", "the-passphrase", "-N", "", "-f", open])
            try await AgentProcess.run { agent in
                try await ProcessRun.check(
                    "ssh-add", ["-q", open], environment: .exactly(["PATH": "/usr/bin", "SSH_AUTH_SOCK": agent.socket]))
                let test = SSHDCase("held", .success, options: { $0.authorize(locked, for: .alice) }) {
                    $1.identities = [path]
                    $1.agent = agent.socket
                }
                try await test.check()
            }
        }
    }

    @Test("an agent with many keys, and only the named one offered")
    func identitiesOnly() async throws {
        var keys: [TestKey] = []
        for number in 0..<4 { keys.append(try await TestKey.make(name: "extra\(number)")) }
        try await AgentProcess.run(keys: keys) { agent in
            let one = SSHDCase("only", .success, server: "MaxAuthTries 2") {
                $1.agent = agent.socket
                $1.identitiesOnly = true
            }
            try await one.check()
            // The identity comes first, with any keys in the agent.
            try await SSHDCase("first", .success, server: "MaxAuthTries 2") { $1.agent = agent.socket }.check()
            let all = SSHDCase("all", .failure(.authTooManyAttempts), server: "MaxAuthTries 2") { $1.use(agent: agent.socket) }
            try await all.check()
        }
    }

    @Test("a missing agent") func unavailable() async throws {
        try await SSHDCase("none", .failure(.agentUnavailable)) { $1.use(agent: $0.directory.path("no-socket")) }.check()
    }

    static let empty = Expected.failure(.agentEmpty)

    @Test("an agent without keys, and a locked one") func empty() async throws {
        try await AgentProcess.run { agent in
            try await SSHDCase("empty", Self.empty) { $1.use(agent: agent.socket) }.check()
            try await SSHDCase("a password beside it", .success) {
                $1.use(password: "alice-pw")
                $1.agent = agent.socket
            }.check()
        }
        try await AgentProcess.run(keys: [TestKey.make()]) { agent in
            try await agent.lock("lock-phrase")
            try await SSHDCase("locked", Self.empty) { $1.use(agent: agent.socket) }.check()
        }
    }

    struct Misbehaviour: Sendable, CustomTestStringConvertible {
        let name: String
        let code: SSHError.Code
        let reply: FakeAgent.Reply
        var testDescription: String { name }
    }

    static let misbehaviours = [
        Misbehaviour(name: "refuses", code: .agentRefused, reply: .refuse),
        Misbehaviour(name: "dies", code: .agentUnavailable, reply: .close),
        Misbehaviour(name: "garbage", code: .agentUnavailable, reply: .garbage),
    ]

    @Test("an agent that does not sign", arguments: misbehaviours)
    func misbehaves(_ misbehaviour: Misbehaviour) async throws {
        let key = try await TestKey.make()
        try await FakeAgent.run(identities: [key], signing: misbehaviour.reply) { agent in
            try await SSHDCase(misbehaviour.name, .failure(misbehaviour.code)) { $1.use(agent: agent.socket) }.check()
        }
    }

    @Test("an agent that does not answer when asked for its keys", arguments: [FakeAgent.Reply.close, .garbage])
    func doesNotList(_ reply: FakeAgent.Reply) async throws {
        try await FakeAgent.run(replies: { _ in reply }) { agent in
            try await SSHDCase("lists nothing", .failure(.agentUnavailable)) { $1.use(agent: agent.socket) }.check()
        }
    }

    @Test("an agent that hangs while it signs is ended by the login's deadline") func hangs() async throws {
        try await FakeAgent.run(identities: [TestKey.make()], signing: .nothing) { agent in
            try await SSHDCase("hangs", .failure(.authTimedOut)) {
                $1.use(agent: agent.socket)
                $1.connectTimeout = 15
            }.check()
        }
    }

    @Test("an agent that hangs before it lists its keys is ended by the same deadline") func hangsListing() async throws {
        try await FakeAgent.run(replies: { _ in .nothing }) { agent in
            try await SSHDCase("hangs", .failure(.agentUnavailable, saying: "did not answer")) {
                $1.use(agent: agent.socket)
                $1.connectTimeout = 5
            }.check()
        }
    }

    @Test("the server's LoginGraceTime ends while the agent hangs") func hangsLongerThanTheServerWaits() async throws {
        try await FakeAgent.run(identities: [TestKey.make()], signing: .nothing) { agent in
            try await SSHDCase("hangs", .failure(.authTimedOut), server: "LoginGraceTime 8") { $1.use(agent: agent.socket) }
                .check()
        }
    }
}
