import Foundation
import NIOCore
import NIOPosix

/// An agent that misbehaves on purpose (draft-miller-ssh-agent), on a unix socket of its own.
public struct FakeAgent: Sendable {
    /// How a request is answered.
    public indirect enum Reply: Sendable {
        /// `SSH_AGENT_FAILURE`.
        case refuse
        /// A well-framed message with this payload, its type byte included.
        case message([UInt8])
        /// These bytes as they are, unframed.
        case raw([UInt8])
        /// Never.
        case nothing
        /// The connection is closed.
        case close
        /// As the real agent at this socket would.
        case forward(to: String)
        /// Like another, but this much later.
        case after(Duration, Reply)

        /// A message whose length says four gigabytes.
        public static let garbage = Reply.raw([UInt8](repeating: 0xFF, count: 64))

        /// `SSH_AGENT_IDENTITIES_ANSWER` with these public keys.
        public static func identities(_ keys: [TestKey]) -> Reply {
            let entries = keys.flatMap { SSHWire.string($0.publicKeyBlob) + SSHWire.string(Array("fake".utf8)) }
            return .message([12] + SSHWire.uint32(UInt32(keys.count)) + entries)
        }
    }

    /// What arrives; the payload's first byte is the type.
    public struct Request: Sendable {
        /// The message without its length.
        public let payload: [UInt8]
        /// Whether it asks for the list of keys.
        public var asksForIdentities: Bool { payload.first == 11 }
        /// Whether it asks for a signature.
        public var asksToSign: Bool { payload.first == 13 }
    }

    /// The path of its socket.
    public let socket: String
    private let connections: ConnectionSet

    /// How many connections there have been.
    public var connectionCount: Int { connections.accepted }

    /// Starts an agent that lists `identities` and answers every request to sign with `signing`.
    @discardableResult
    public static func run<R>(
        identities: [TestKey], signing: Reply, _ body: (FakeAgent) async throws -> R
    ) async throws -> R {
        try await run(replies: { $0.asksForIdentities ? .identities(identities) : signing }, body)
    }

    /// Starts an agent that answers as `replies` says, gives it to `body`, and closes it whatever `body` does.
    @discardableResult
    public static func run<R>(
        replies: @escaping @Sendable (Request) -> Reply, _ body: (FakeAgent) async throws -> R
    ) async throws -> R {
        try await ScratchDirectory.with { directory in
            let connections = ConnectionSet()
            let path = directory.path("socket")
            let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .childChannelInitializer { channel in
                    connections.add(channel)
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FakeAgentHandler(replies: replies))
                    }
                }
                .bind(unixDomainSocketPath: path).get()
            let agent = FakeAgent(socket: path, connections: connections)
            do {
                let result = try await body(agent)
                await agent.close(listener)
                return result
            } catch {
                await agent.close(listener)
                throw error
            }
        }
    }

    private func close(_ listener: any Channel) async {
        try? await listener.close()
        await connections.closeAll()
    }
}

extension TestKey {
    /// The public key as it is on the wire (RFC 4253 section 6.6).
    public var publicKeyBlob: [UInt8] {
        publicKey.split(separator: " ").last.flatMap { Data(base64Encoded: String($0)) }.map(Array.init) ?? []
    }
}
