import BridgeSSH
import NIOCore
import NIOPosix

@testable import SSHTransport

/// A server on a unix-domain socket that answers an agent's requests as a test specifies, correctly or not.
final class ScriptedAgent: Sendable {
    enum Reply: Sendable {
        case bytes([UInt8])
        case message(AgentMessage)
        case silence
        case hangUp
    }

    let socket: String
    private let server: any Channel

    /// - Parameter reply: called for every request, with the request's number from 0.
    init(in directory: KeyDirectory, reply: @escaping @Sendable (Int, AgentMessage) async -> Reply) async throws {
        socket = directory.path("scripted")
        server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(AgentFrameDecoder()))
                    try channel.pipeline.syncOperations.addHandler(Handler(reply: reply))
                }
            }
            .bind(unixDomainSocketPath: socket).get()
    }

    func close() async throws { try await server.close().get() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = [UInt8]
        private let reply: @Sendable (Int, AgentMessage) async -> Reply
        private var count = 0

        init(reply: @escaping @Sendable (Int, AgentMessage) async -> Reply) { self.reply = reply }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let message = try? AgentMessage(body: unwrapInboundIn(data)) else { return context.close(promise: nil) }
            let number = count
            count += 1
            let (channel, reply) = (context.channel, reply)
            context.eventLoop.makeFutureWithTask { await reply(number, message) }.whenSuccess { reply in
                switch reply {
                case .bytes(let bytes): channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                case .message(let message):
                    channel.writeAndFlush(ByteBuffer(bytes: (try? message.encoded()) ?? []), promise: nil)
                case .silence: break
                case .hangUp: channel.close(promise: nil)
                }
            }
        }
    }
}
