package import NIOCore
internal import NIOPosix

/// A connection to an SSH agent on its unix-domain socket.
///
/// Requests go one at a time, in the order they were made.
///
/// A cancelled caller gets `unavailable` at once and the connection stays usable. An agent that hangs up, sends malformed
/// answers, or is slower than the timeout ends the connection; every later request fails with the same reason.
package struct AgentClient: Sendable {
    /// The path of the socket it is connected to.
    package let socketPath: String
    private let channel: any Channel
    private let conversation: NIOLoopBound<AgentConversation>

    /// Connects.
    ///
    /// - Parameters:
    ///   - timeout: for the connection, and for each answer from the moment its request was sent. An agent may ask a person or
    ///     wait for a touch on a device: allow a minute if that is possible.
    /// - Throws: `unavailable`, with the `errno` of connect(2) if there is one.
    package static func connect(
        to socketPath: String, on group: any EventLoopGroup, timeout: Duration
    ) async throws(SSHAgentProblem) -> AgentClient {
        let limit = TimeAmount(timeout)
        do {
            let (channel, conversation) = try await ClientBootstrap(group: group)
                .connectTimeout(limit)
                .connect(unixDomainSocketPath: socketPath) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let conversation = AgentConversation(timeout: limit)
                        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(AgentFrameDecoder()))
                        try channel.pipeline.syncOperations.addHandler(conversation)
                        return (channel, NIOLoopBound(conversation, eventLoop: channel.eventLoop))
                    }
                }
            return AgentClient(socketPath: socketPath, channel: channel, conversation: conversation)
        } catch {
            throw .from(error)
        }
    }

    /// Whether the agent has not hung up.
    package var isOpen: Bool { channel.isActive }

    /// Closes the connection and waits until it is closed; closing twice is not an error.
    package func close() async {
        let conversation = conversation
        channel.eventLoop.execute {
            conversation.value.end(SSHAgentProblem(reason: .unavailable, detail: "The connection to the agent is closed."))
        }
        try? await channel.closeFuture.get()
    }

    /// The keys that the agent holds, in its order, certificates and security keys among them.
    ///
    /// - Throws: `empty` for no keys, or a locked agent; `unavailable`; `refused` if it does not list its keys.
    package func identities() async throws(SSHAgentProblem) -> [SSHPublicKey] {
        switch try await ask(.requestIdentities) {
        case .identitiesAnswer(let identities):
            let keys = identities.compactMap { try? SSHPublicKey(blob: $0.key, comment: $0.comment) }
            guard !keys.isEmpty else {
                throw SSHAgentProblem(reason: .empty, detail: "The agent holds no keys, or it is locked.")
            }
            return keys
        case .failure, .extensionFailure:
            throw SSHAgentProblem(reason: .refused, detail: "The agent refused to list its keys.")
        default: throw Self.unexpectedReply
        }
    }

    /// Asks for a signature and returns the SSH signature blob.
    ///
    /// - Throws: `refused` when the agent does not sign with the key, or signs with another algorithm than the requested one,
    ///   as agents without SHA-2 do; `unavailable`.
    package func sign(data: [UInt8], key: SSHPublicKey, algorithm: String) async throws(SSHAgentProblem) -> [UInt8] {
        // A certificate's signature is that of its key.
        let plain = PublicKeyAlgorithm.plain(algorithm)
        let request = AgentMessage.signRequest(key: key.blob, data: data, flags: AgentMessage.flags(for: plain))
        switch try await ask(request) {
        case .signResponse(let signature):
            var reader = SSHWireReader(signature)
            guard let name = try? reader.text(), (try? reader.string()) != nil else { throw Self.unexpectedReply }
            // A security key's flags and counter follow (OpenSSH PROTOCOL.u2f).
            if PublicKeyAlgorithm.isSecurityKey(name) {
                guard (try? reader.byte()) != nil, (try? reader.uint32()) != nil else { throw Self.unexpectedReply }
            }
            guard reader.isAtEnd else { throw Self.unexpectedReply }
            guard name == plain else {
                throw SSHAgentProblem(
                    reason: .refused, detail: "The agent signed with \(printable(name)) instead of \(plain).")
            }
            return signature
        case .failure, .extensionFailure:
            throw SSHAgentProblem(
                reason: .refused,
                detail: "The agent refused to sign with \(key.displayName) \(key.fingerprint): "
                    + "it is locked, no longer has the key, or is configured to refuse.")
        default: throw Self.unexpectedReply
        }
    }

    private static let unexpectedReply = SSHAgentProblem(
        reason: .unavailable, detail: "The program on the agent's socket does not speak the agent protocol.")

    private func ask(_ message: AgentMessage) async throws(SSHAgentProblem) -> AgentMessage {
        do {
            let frame = try message.encoded()
            let answer = channel.eventLoop.makePromise(of: [UInt8].self)
            let token = AgentConversation.Token()
            let (loop, conversation) = (channel.eventLoop, conversation)
            // Before the cancellation handler is installed, so that the loop sees the request before its cancellation.
            loop.execute { conversation.value.submit(.init(token: token, frame: frame, answer: answer)) }
            let body = try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                loop.execute { conversation.value.abandon(token) }
            }
            return try AgentMessage(body: body)
        } catch AgentCodecError.tooLong {
            throw SSHAgentProblem(reason: .refused, detail: "The request is longer than the agent protocol allows.")
        } catch {
            throw .from(error)
        }
    }
}

/// Signs with a key that an agent holds.
package struct AgentSigner: Signer {
    package let publicKey: SSHPublicKey
    private let client: AgentClient

    package init(publicKey: SSHPublicKey, client: AgentClient) {
        self.publicKey = publicKey
        self.client = client
    }

    package var mayWait: Bool { true }

    package var origin: SignerOrigin { .agent(socket: client.socketPath) }

    package func sign(_ data: [UInt8], algorithm: String) async throws -> [UInt8] {
        try await client.sign(data: data, key: publicKey, algorithm: algorithm)
    }
}

/// Agents that many SSH connections share, each over one connection. Requests to an agent go one after the other, and its keys
/// are listed once.
///
/// If an agent has ended, the next SSH connection that needs it connects to it again.
package actor SharedAgents {
    private var agents: [String: Task<AgentKeys, Never>] = [:]
    private var isClosed = false

    package init() {}

    /// The keys of the agent at `socket`: see ``AgentKeys/load(from:within:)``. Closing them does nothing.
    package func keys(from socket: String?, within limit: Double) async -> AgentKeys {
        guard let socket, !isClosed else { return AgentKeys() }
        if let known = agents[socket] {
            let keys = await known.value
            if keys.isOpen { return keys.shared }
            // The first waiting caller connects again.
            if agents[socket] == known { agents[socket] = nil }
            return await self.keys(from: socket, within: limit)
        }
        let loading = Task { await AgentKeys.load(from: socket, within: limit) }
        agents[socket] = loading
        let keys = await loading.value
        if keys.problem != nil, agents[socket] == loading { agents[socket] = nil }
        return keys.shared
    }

    /// Closes the connections to the agents.
    package func close() async {
        isClosed = true
        let known = agents.values
        agents = [:]
        for agent in known { await agent.value.close() }
    }
}

/// The agent's keys as candidates, over one connection that lives as long as the authentication.
package struct AgentKeys: Sendable {
    package var candidates: [PublicKeyCandidate] = []
    /// Keys of types that cannot be offered here.
    package var unsupported: [SSHPublicKey] = []
    package var problem: SSHAgentProblem?
    private var client: AgentClient?
    /// Whether others use the connection too: then it is not closed here.
    private var isShared = false

    /// An agent may ask a person for each signature, or wait for a touch on a device.
    private static let timeLimit = Duration.seconds(60)

    /// Lists the keys of the agent at `socket`; nil means no agent, which is not a problem. Keys of types that cannot be offered
    /// are left out.
    ///
    /// - Parameters:
    ///   - limit: seconds for the list of keys; an agent does not ask a person about that.
    ///   - group: whose loop the connection to the agent lives on.
    package static func load(
        from socket: String?, within limit: Double, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async -> AgentKeys {
        guard let socket else { return AgentKeys() }
        do {
            let client = try await AgentClient.connect(
                to: socket, on: group, timeout: timeLimit)
            do {
                let keys = try await identities(of: client, within: limit).get()
                let isUsable = { (key: SSHPublicKey) in OfferableKey.isOfferable(key.algorithm) }
                return AgentKeys(
                    candidates: keys.filter(isUsable).map {
                        PublicKeyCandidate(signer: AgentSigner(publicKey: $0, client: client), label: label(of: $0))
                    }, unsupported: keys.filter { !isUsable($0) }, client: client)
            } catch {
                await client.close()
                return AgentKeys(problem: error)
            }
        } catch {
            return AgentKeys(problem: error)
        }
    }

    /// The name of an agent's key in prompts and messages.
    package static func label(of key: SSHPublicKey) -> String { key.comment.isEmpty ? "agent key" : "\(key.comment) (agent)" }

    private static func identities(of client: AgentClient, within limit: Double) async -> Result<[SSHPublicKey], SSHAgentProblem>
    {
        await withTaskGroup(of: Result<[SSHPublicKey], SSHAgentProblem>.self) { group in
            group.addTask {
                do throws(SSHAgentProblem) { return .success(try await client.identities()) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(limit))
                let detail = "The agent did not answer within \(limit.inSeconds)."
                return .failure(SSHAgentProblem(reason: .unavailable, detail: detail))
            }
            defer { group.cancelAll() }
            // A group is never empty.
            return await group.next() ?? .success([])
        }
    }

    package func close() async {
        if !isShared { await client?.close() }
    }

    /// Whether the agent can be asked.
    var isOpen: Bool { client?.isOpen ?? false }

    /// The same keys, over a connection that stays open.
    var shared: AgentKeys {
        var keys = self
        keys.isShared = true
        return keys
    }
}
