import NIOCore

/// Hands on what comes and what goes later, in order: a long path to one server.
final class DelayHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let inbound: DelayLine
    private let outbound: DelayLine
    private var unflushed: [NIOAny] = []

    /// - Parameter delay: each way.
    init(_ delay: TimeAmount) {
        inbound = DelayLine(delay)
        outbound = DelayLine(delay)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbound.add(on: context.eventLoop) { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unflushed.append(data)
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {
        let pieces = unflushed
        unflushed = []
        outbound.add(on: context.eventLoop) {
            for piece in pieces { context.write(piece, promise: nil) }
            context.flush()
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        outbound.add(on: context.eventLoop) { context.close(mode: mode, promise: promise) }
    }
}
