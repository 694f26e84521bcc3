import NIOCore
import NIOPosix
import SSHTestSupport

/// A TCP connection that sends nothing on its own.
struct RawConnection: Sendable {
    /// All bytes that the server has sent.
    let received: Transcript

    static func run(to port: Int, _ body: (RawConnection) async throws -> Void) async throws {
        let received = Transcript()
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Recorder(received))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        do {
            try await body(RawConnection(received: received))
            try await channel.close()
        } catch {
            try? await channel.close()
            throw error
        }
    }
}

private final class Recorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let received: Transcript
    init(_ received: Transcript) { self.received = received }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received.append(unwrapInboundIn(data).readableBytesView) }
    func channelInactive(context: ChannelHandlerContext) { received.finish() }
}
