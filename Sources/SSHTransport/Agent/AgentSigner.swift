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
