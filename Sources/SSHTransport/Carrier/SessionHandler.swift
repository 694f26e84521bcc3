internal import NIOCore

/// Carries bytes and their end from a NIO channel to its session, and keeps them until there is one, which a busy machine may
/// take a while to make. Confined to the channel's event loop.
///
/// A peer that says a line and closes makes NIO read the line at once, asked or not, and close the channel: nothing of that may
/// be lost. It sees the connecting as well, for each handler costs a start a search through all conformances of the executable.
final class SessionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var client: (any CarrierClient)?
    private var early: [ByteBuffer] = []
    private var end: SSHStreamEnd?
    private var tried: (@Sendable (AddressOutcome) -> Void)?

    /// - Parameter tried: called on the event loop with the result of connecting.
    init(tried: (@Sendable (AddressOutcome) -> Void)? = nil) {
        self.tried = tried
    }

    /// Gives the session what has arrived; all that is still to come goes to it at once.
    func attach(_ client: any CarrierClient) {
        let buffers = early
        early = []
        if end == nil { self.client = client }
        client.carrierIsReady(bytes: buffers, end: end, by: nil, givesBuffersBack: true)
    }

    /// The session holds the channel and the channel this: it ends here.
    func handlerRemoved(context: ChannelHandlerContext) {
        end = end ?? .closed
        client = nil
        tried = nil
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard let tried else { return context.connect(to: address, promise: promise) }
        // What it holds is not to be kept as long as the connection.
        self.tried = nil
        let start = ContinuousClock.now
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.whenComplete { tried(AddressOutcome(address.endpoint, $0, since: start)) }
        context.connect(to: address, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard let client else { return early.append(buffer) }
        client.carrierBrought(buffer)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        client?.carrierBroughtAll()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        client?.carrierAcceptsMore()
    }

    func channelInactive(context: ChannelHandlerContext) { ended(.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ended(SSHStreamEnd(error))
        context.close(promise: nil)
    }

    private func ended(_ end: SSHStreamEnd) {
        self.end = self.end ?? end
        client?.carrierEnded(end, by: nil)
    }
}

extension SSHStreamEnd {
    /// The end that an error of the carrier stands for.
    init(_ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case Errno.connectionReset, Errno.brokenPipe: self = .reset
        case let code?: self = .failed(systemError: code)
        case nil: self = .closed
        }
    }
}
