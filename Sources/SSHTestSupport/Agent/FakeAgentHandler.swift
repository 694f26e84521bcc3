import NIOCore
import NIOPosix

/// Takes an agent client's requests one by one and answers each.
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

/// Brings one reply of the real agent back, then lets that agent go.
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
    /// A whole message without its length, or nil if more bytes are to come.
    fileprivate mutating func readAgentMessage() -> [UInt8]? {
        guard let length = getInteger(at: readerIndex, as: UInt32.self), readableBytes >= 4 + Int(length) else { return nil }
        moveReaderIndex(forwardBy: 4)
        return readBytes(length: Int(length))
    }
}
