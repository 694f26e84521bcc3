import BridgeSSH
import NIOCore
import NIOPosix
import Testing

@testable import SSHKeys

/// The agent client with misbehaving agents.
@Suite struct AgentMisbehaviourTests {
    private func connect(_ agent: ScriptedAgent, timeout: Duration = .seconds(20)) async throws -> AgentClient {
        try await AgentClient.connect(to: agent.socket, on: MultiThreadedEventLoopGroup.singleton, timeout: timeout)
    }

    private static let key: SSHPublicKey = {
        var blob = SSHWireWriter()
        blob.string("some-key@example.com")
        do { return try SSHPublicKey(blob: blob.bytes) } catch { preconditionFailure("a named blob is a key: \(error)") }
    }()

    // (the agent's reply to a request for a signature, the reason, text from the detail)
    static let answers: [(ScriptedAgent.Reply, SSHAgentProblem.Reason, String)] = [
        (.hangUp, .unavailable, "closed"),
        (.bytes(Array("HTTP/1.1 400 Bad Request\r\n".utf8)), .unavailable, "does not speak"),
        (.bytes([0, 0, 0, 0]), .unavailable, "does not speak"),
        (.bytes([0, 4, 0, 1, 14]), .unavailable, "does not speak"),
        (.bytes([0, 0, 0, 1, 200]), .unavailable, "does not speak"),
        (.bytes([0, 0, 0, 1, 14]), .unavailable, "does not speak"),
        (.message(.identitiesAnswer([])), .unavailable, "does not speak"),
        (.message(.signResponse(signature: [1, 2, 3])), .unavailable, "does not speak"),
        (.message(.signResponse(signature: [0, 0, 0, 1, 0x78, 0, 0, 0, 0])), .refused, "signed with x"),
        (.message(.failure), .refused, "refused to sign"),
        (.message(.extensionFailure), .refused, "refused to sign"),
    ]

    @Test("bad answers", arguments: answers.indices)
    func badAnswers(index: Int) async throws {
        let (reply, reason, words) = Self.answers[index]
        let directory = try KeyDirectory()
        let agent = try await ScriptedAgent(in: directory) { _, _ in reply }
        let client = try await connect(agent)
        let problem = await #expect(throws: SSHAgentProblem.self) {
            try await client.sign(data: [1], key: Self.key, algorithm: "rsa-sha2-256")
        }
        #expect(problem?.reason == reason)
        #expect(problem?.detail.contains(words) == true, "\(String(describing: problem))")
        await client.close()
        try await agent.close()
    }

    @Test("an answer without a request") func anAnswerWithoutARequest() async throws {
        let directory = try KeyDirectory()
        let failure = try AgentMessage.failure.encoded()
        let agent = try await ScriptedAgent(in: directory) { _, _ in .bytes(failure + failure) }
        let client = try await connect(agent)
        let first = await #expect(throws: SSHAgentProblem.self) { try await client.identities() }
        #expect(first?.reason == .refused)
        let second = await #expect(throws: SSHAgentProblem.self) { try await client.identities() }
        #expect(second?.detail.contains("without a request") == true)
        await client.close()
        try await agent.close()
    }

    @Test("too large a request is not sent") func tooLargeARequestIsNotSent() async throws {
        let directory = try KeyDirectory()
        let agent = try await ScriptedAgent(in: directory) { _, _ in .message(.failure) }
        let client = try await connect(agent)
        let data = [UInt8](repeating: 0, count: AgentMessage.maximumLength)
        let problem = await #expect(throws: SSHAgentProblem.self) {
            try await client.sign(data: data, key: Self.key, algorithm: "x")
        }
        #expect(problem?.detail.contains("longer") == true)
        await client.close()
        try await agent.close()
    }

    /// The first request is answered late, after its caller was cancelled. The second caller must not get that answer.
    @Test("cancelled callers leave the connection usable") func cancelledCallersLeaveTheConnectionInStep() async throws {
        let directory = try KeyDirectory()
        let (arrivals, arrived) = AsyncStream<Int>.makeStream()
        let (release, released) = AsyncStream<Void>.makeStream()
        let agent = try await ScriptedAgent(in: directory) { number, _ in
            arrived.yield(number)
            if number == 0 { for await _ in release {} }
            var blob = SSHWireWriter()
            blob.string("name-\(number)")
            return .message(.identitiesAnswer([.init(key: blob.bytes, comment: "")]))
        }
        let client = try await connect(agent)
        let cancelled = Task { try await client.identities() }
        for await number in arrivals where number == 0 { break }
        let next = Task { try await client.identities() }
        cancelled.cancel()
        let problem = await #expect(throws: SSHAgentProblem.self) { try await cancelled.value }
        #expect(problem?.detail.contains("cancelled") == true)
        let never = Task { try await client.identities() }
        never.cancel()
        _ = await never.result
        released.finish()
        #expect(try await next.value.first?.algorithm == "name-1")
        await client.close()
        try await agent.close()
    }
}
