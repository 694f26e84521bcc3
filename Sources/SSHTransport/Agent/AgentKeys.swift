package import NIOCore
internal import NIOPosix

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
    private static let patience = Duration.seconds(60)

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
                to: socket, on: group, timeout: patience)
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
