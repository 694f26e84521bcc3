import NIOCore
import NIOPosix

/// A bastion that sends its own text before it connects to the server (RFC 4253 section 4.2).
enum GreetingBastion {
    static func run(_ lines: String, to port: Int, _ body: (Int) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connect(host: "127.0.0.1", port: port)
                    .flatMap { server in
                        client.eventLoop.makeCompletedFuture {
                            try client.pipeline.syncOperations.addHandler(Relay(to: server, greeting: lines))
                            try server.pipeline.syncOperations.addHandler(Relay(to: client, greeting: nil))
                        }
                    }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(listener.localAddress?.port ?? 0)
            try await listener.close()
        } catch {
            try? await listener.close()
            throw error
        }
    }
}

/// Passes everything on; the client's side greets first.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let other: any Channel
    private let greeting: String?

    init(to other: any Channel, greeting: String?) {
        self.other = other
        self.greeting = greeting
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let greeting else { return }
        context.writeAndFlush(NIOAny(ByteBuffer(string: greeting)), promise: nil)
        // The server's bytes are passed on only from here on.
        for channel in [context.channel, other] { channel.setOption(.autoRead, value: true).whenFailure { _ in } }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { other.writeAndFlush(unwrapInboundIn(data), promise: nil) }
    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
