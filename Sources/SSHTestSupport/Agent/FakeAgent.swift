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
        /// Raw bytes, unframed.
        case raw([UInt8])
        /// No answer.
        case nothing
        /// The connection is closed.
        case close
        /// The answer of the real agent at this socket.
        case forward(to: String)
        /// Another reply, after this delay.
        case after(Duration, Reply)

        /// A message whose length field is four gigabytes.
        public static let garbage = Reply.raw([UInt8](repeating: 0xFF, count: 64))

        /// `SSH_AGENT_IDENTITIES_ANSWER` with these public keys.
        public static func identities(_ keys: [TestKey]) -> Reply {
            let entries = keys.flatMap { SSHWire.string($0.publicKeyBlob) + SSHWire.string(Array("fake".utf8)) }
            return .message([12] + SSHWire.uint32(UInt32(keys.count)) + entries)
        }
    }

    /// A client's request. The first byte of the payload is the message type.
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

    /// The number of connections so far.
    public var connectionCount: Int { connections.accepted }

    /// Starts an agent that lists `identities` and answers every request to sign with `signing`.
    @discardableResult
    public static func run<R>(
        identities: [TestKey], signing: Reply, _ body: (FakeAgent) async throws -> R
    ) async throws -> R {
        try await run(replies: { $0.asksForIdentities ? .identities(identities) : signing }, body)
    }

    /// Starts an agent that answers with `replies`, lends it to `body`, and closes it, even after an error.
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
            return try await withCleanup {
                await listener.close(with: connections)
            } _: {
                try await body(FakeAgent(socket: path, connections: connections))
            }
        }
    }
}

extension TestKey {
    /// The public key in its wire format (RFC 4253 section 6.6).
    public var publicKeyBlob: [UInt8] {
        publicKey.split(separator: " ").last.flatMap { Data(base64Encoded: String($0)) }.map(Array.init) ?? []
    }
}

/// Reads the requests of an agent's client one by one and answers each.
final class FakeAgentHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let replies: @Sendable (FakeAgent.Request) -> FakeAgent.Reply
    private var unread = ByteBuffer()

    init(replies: @escaping @Sendable (FakeAgent.Request) -> FakeAgent.Reply) { self.replies = replies }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unread.writeImmutableBuffer(unwrapInboundIn(data))
        while let payload = unread.readAgentMessage() {
            answer(replies(FakeAgent.Request(payload: payload)), to: payload, on: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ reply: FakeAgent.Reply, to request: [UInt8], on channel: any Channel) {
        switch reply {
        case .refuse: answer(.message([5]), to: request, on: channel)
        case .message(let payload): answer(.raw(SSHWire.string(payload)), to: request, on: channel)
        case .raw(let bytes): channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .nothing: break
        case .close: channel.close(promise: nil)
        case .after(let duration, let reply):
            channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
                self.answer(reply, to: request, on: channel)
            }
        case .forward(let socket): forward(request, to: socket, for: channel)
        }
    }

    private func forward(_ request: [UInt8], to socket: String, for channel: any Channel) {
        ClientBootstrap(group: channel.eventLoop)
            .channelInitializer { real in
                real.eventLoop.makeCompletedFuture {
                    try real.pipeline.syncOperations.addHandler(ForwardedReply(for: channel))
                }
            }
            .connect(unixDomainSocketPath: socket)
            .whenComplete { result in
                switch result {
                case .success(let real): real.writeAndFlush(ByteBuffer(bytes: SSHWire.string(request)), promise: nil)
                case .failure: channel.close(promise: nil)
                }
            }
    }
}

/// Passes one reply of the real agent to the client, then closes the connection to that agent.
private final class ForwardedReply: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let asker: any Channel
    private var unread = ByteBuffer()

    init(for asker: any Channel) { self.asker = asker }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unread.writeImmutableBuffer(unwrapInboundIn(data))
        guard let payload = unread.readAgentMessage() else { return }
        asker.writeAndFlush(ByteBuffer(bytes: SSHWire.string(payload)), promise: nil)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension ByteBuffer {
    /// Reads a whole message without its length. Returns nil until all of it has arrived.
    fileprivate mutating func readAgentMessage() -> [UInt8]? {
        guard let length = getInteger(at: readerIndex, as: UInt32.self), readableBytes >= 4 + Int(length) else { return nil }
        moveReaderIndex(forwardBy: 4)
        return readBytes(length: Int(length))
    }
}
