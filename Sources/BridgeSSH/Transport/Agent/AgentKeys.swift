internal import NIOPosix

/// The agent's keys as candidates, over one connection that lives as long as the authentication.
struct AgentKeys: Sendable {
    let candidates: [PublicKeyCandidate]
    let problem: AgentProblem?
    private let client: AgentClient?

    /// An agent may ask a person for each signature, or wait for a touch on a device.
    private static let patience = Duration.seconds(60)

    /// Asks the agent at `socket`; none is no problem. Keys of types that we cannot offer are left out.
    static func load(from socket: String?) async -> AgentKeys {
        guard let socket else { return AgentKeys(candidates: [], problem: nil, client: nil) }
        do {
            let client = try await AgentClient.connect(
                to: socket, on: MultiThreadedEventLoopGroup.singleton, timeout: patience)
            do {
                let keys = try await client.identities()
                let usable = keys.filter { !signatureAlgorithms(for: $0, serverOffers: nil).isEmpty }
                return AgentKeys(
                    candidates: usable.map {
                        PublicKeyCandidate(
                            signer: AgentSigner(publicKey: $0, client: client),
                            label: $0.comment.isEmpty ? "agent key" : "\($0.comment) (agent)")
                    }, problem: nil, client: client)
            } catch {
                await client.close()
                return AgentKeys(candidates: [], problem: error, client: nil)
            }
        } catch {
            return AgentKeys(candidates: [], problem: error, client: nil)
        }
    }

    func close() async {
        await client?.close()
    }
}
