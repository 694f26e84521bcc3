import NIOCore

/// Reports the events of one channel to its ``ProxyLink``.
final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let side: FaultProxy.Side
    private let link: ProxyLink
    private var failed = false

    init(side: FaultProxy.Side, link: ProxyLink) {
        self.side = side
        self.link = link
    }

    func channelActive(context: ChannelHandlerContext) { link.activated(side) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { link.received(unwrapInboundIn(data), from: side) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { link.ended(side) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { link.updateReading() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failed = true
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { link.closed(side, byReset: failed) }
}
