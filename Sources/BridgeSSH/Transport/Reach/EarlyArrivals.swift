internal import NIOCore

/// Keeps what arrives on a connection before its session is there, which a busy machine may take a while to make.
///
/// A peer that says a line and closes makes NIO read the line at once, asked or not, and close the channel: without this
/// its words would be lost. Confined to the channel's event loop.
final class EarlyArrivals: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private var buffers: [ByteBuffer] = []
    private var end: StreamEnd?
    private var isHandedOver = false

    /// Hands over what has come; from now on all goes on to the next handler.
    func handOver() -> (buffers: [ByteBuffer], end: StreamEnd?) {
        isHandedOver = true
        defer { buffers = [] }
        return (buffers, end)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isHandedOver { return context.fireChannelRead(data) }
        buffers.append(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        end = end ?? .closed
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isHandedOver { return context.fireErrorCaught(error) }
        end = end ?? StreamEnd(error)
        context.close(promise: nil)
    }
}

/// A connection that was reached, and what has arrived on it so far.
struct ReachedChannel: Sendable {
    let channel: any Channel
    let early: NIOLoopBound<EarlyArrivals>?
}
