import BridgeSSH
import Foundation
import NIOCore
import NIOPosix
import Testing

/// The agent client with the real ssh-agent.
@Suite struct AgentClientTests {
    static let group = MultiThreadedEventLoopGroup.singleton

    private func connect(_ socket: String, timeout: Duration = .seconds(20)) async throws -> AgentClient {
        try await AgentClient.connect(to: socket, on: Self.group, timeout: timeout)
    }

    @Test("lists and signs with every kind") func listsAndSignsWithEveryKind() async throws {
        let directory = try KeyDirectory()
        let agent = try await RealAgent(in: directory)
        for kind in KeyKind.all {
            try await agent.add(
                "-q", try await kind.generate(in: directory, name: kind.testDescription, comment: kind.testDescription))
        }
        let client = try await connect(agent.socket)
        let keys = try await client.identities()
        #expect(keys.map(\.comment) == KeyKind.all.map(\.testDescription))
        for (key, kind) in zip(keys, KeyKind.all) {
            let signer: any Signer = AgentSigner(publicKey: key, client: client)
            #expect(signer.origin == .agent(socket: agent.socket))
            #expect(signatureAlgorithms(for: key, serverOffers: nil) == kind.algorithms)
            for algorithm in kind.algorithms {
                try await expectSignatureVerifies(by: key, algorithm: algorithm, in: directory) { data in
                    try await signer.sign(data, algorithm: algorithm)
                }
            }
        }
        await client.close()
        await client.close()
        await #expect(throws: SSHAgentProblem(reason: .unavailable, detail: "The connection to the agent is closed.")) {
            try await client.identities()
        }
    }

    @Test("many requests at once") func manyRequestsAtOnce() async throws {
        let directory = try KeyDirectory()
        let agent = try await RealAgent(in: directory)
        try await agent.add("-q", try await KeyKind.ed25519.generate(in: directory))
        let client = try await connect(agent.socket)
        let key = try #require(try await client.identities().first)
        let signatures = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<100 {
                group.addTask { (number, try await client.sign(data: [UInt8(number)], key: key, algorithm: "ssh-ed25519")) }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        // Ed25519 signatures are deterministic, so the file's key shows which signature belongs to which request.
        let file = try KeyFile.read(path: directory.path("id")).decrypted(with: nil)
        for number in 0..<100 {
            var reader = SSHWireReader(try #require(signatures[number]))
            #expect(try reader.text() == "ssh-ed25519")
        }
        #expect(Set(signatures.values).count == 100)
        #expect(file.publicKey == key)
        await client.close()
    }

    @Test("empty and locked") func emptyAndLocked() async throws {
        let directory = try KeyDirectory()
        let agent = try await RealAgent(in: directory)
        let client = try await connect(agent.socket)
        await #expect(throws: SSHAgentProblem(reason: .empty, detail: "The agent holds no keys, or it is locked.")) {
            try await client.identities()
        }
        try await agent.add("-q", try await KeyKind.ed25519.generate(in: directory))
        let key = try #require(try await client.identities().first)
        let askpass = try directory.write("#!/bin/sh\necho lock word\n".utf8, to: "askpass", mode: 0o700)
        try await agent.add("-x", askpass: askpass)
        let locked = await #expect(throws: SSHAgentProblem.self) { try await client.identities() }
        #expect(locked?.reason == .empty)
        let refused = await #expect(throws: SSHAgentProblem.self) {
            try await client.sign(data: [1], key: key, algorithm: "ssh-ed25519")
        }
        #expect(refused?.reason == .refused)
        try await agent.add("-X", askpass: askpass)
        #expect(try await client.identities() == [key])
        await client.close()
    }

    @Test("a removed key") func aKeyThatIsGone() async throws {
        let directory = try KeyDirectory()
        let agent = try await RealAgent(in: directory)
        let path = try await KeyKind.ed25519.generate(in: directory)
        let key = try #require(try KeyFile.read(path: path).publicKey)
        let client = try await connect(agent.socket)
        let problem = await #expect(throws: SSHAgentProblem.self) {
            try await client.sign(data: [1], key: key, algorithm: "ssh-ed25519")
        }
        #expect(problem?.reason == .refused)
        #expect(problem?.detail.contains(key.fingerprint) == true)
        await client.close()
    }

    @Test("an agent that is killed during a request") func killedInTheMiddle() async throws {
        let directory = try KeyDirectory()
        let agent = try await RealAgent(in: directory)
        try await agent.add("-q", try await KeyKind.ed25519.generate(in: directory))
        let client = try await connect(agent.socket)
        let key = try #require(try await client.identities().first)
        agent.signal(SIGSTOP)
        async let first = Result { try await client.sign(data: [1], key: key, algorithm: "ssh-ed25519") }
        async let second = Result { try await client.identities() }
        await agent.end()
        for problem in [await first.problem, await second.problem] { #expect(problem?.reason == .unavailable) }
        await client.close()
    }

    @Test("a timeout distinguishes a stopped agent from a slow one") func timeoutDistinguishesStoppedAgentFromSlowOne()
        async throws
    {
        let directory = try KeyDirectory()
        let agent = try await RealAgent(in: directory)
        let client = try await connect(agent.socket, timeout: .milliseconds(200))
        agent.signal(SIGSTOP)
        let problem = await #expect(throws: SSHAgentProblem.self) { try await client.identities() }
        #expect(problem == SSHAgentProblem(reason: .unavailable, detail: "The agent did not answer within 0.2 s."))
        let later = await #expect(throws: SSHAgentProblem.self) { try await client.identities() }
        #expect(later == problem, "the first reason is the one that is reported")
        await client.close()
    }

    @Test("sockets that cannot be used") func socketsThatCannotBeUsed() async throws {
        let directory = try KeyDirectory()
        let missing = await #expect(throws: SSHAgentProblem.self) { try await connect(directory.path("none")) }
        #expect((missing?.reason, missing?.systemError) == (.unavailable, ENOENT))
        let agent = try await RealAgent(in: directory)
        await agent.end()
        let stale = await #expect(throws: SSHAgentProblem.self) { try await connect(agent.socket) }
        #expect((stale?.reason, stale?.systemError) == (.unavailable, ECONNREFUSED))
        let long = await #expect(throws: SSHAgentProblem.self) { try await connect("/" + String(repeating: "x", count: 200)) }
        #expect(long?.reason == .unavailable)
        #expect(long?.detail.contains("too long") == true)
        try directory.write([1], to: "file")
        let file = await #expect(throws: SSHAgentProblem.self) { try await connect(directory.path("file")) }
        #expect((file?.reason, file?.systemError) == (.unavailable, ECONNREFUSED))
    }
}

extension Result where Failure == any Error {
    /// The result or error of an async body.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    var problem: SSHAgentProblem? {
        guard case .failure(let error) = self else { return nil }
        return error as? SSHAgentProblem
    }
}
