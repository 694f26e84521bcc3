internal import NIOCore

/// Passes bytes and their end from a NIO channel to its session. It keeps them until the session exists, which may take a while
/// on a busy machine. Confined to the channel's event loop.
///
/// If a peer sends a line and closes, NIO reads the line without a request and closes the channel: none of that may be lost.
/// This handler observes connecting too, because each further handler costs a start a search through all conformances of the
/// executable.
final class SessionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var client: (any ByteTransportClient)?
    private var early: [ByteBuffer] = []
    private var end: SSHStreamEnd?
    private var tried: (@Sendable (AddressOutcome) -> Void)?

    /// - Parameter tried: called on the event loop with the result of connecting.
    init(tried: (@Sendable (AddressOutcome) -> Void)? = nil) {
        self.tried = tried
    }

    /// Passes the kept bytes to the session. Later bytes go to it at once.
    func attach(_ client: any ByteTransportClient) {
        let buffers = early
        early = []
        if end == nil { self.client = client }
        client.transportIsReady(bytes: buffers, end: end, by: nil, givesBuffersBack: true)
    }

    /// Breaks the reference cycle: the session holds the channel, and the channel holds this handler.
    func handlerRemoved(context: ChannelHandlerContext) {
        end = end ?? .closed
        client = nil
        tried = nil
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        guard let tried else { return context.connect(to: address, promise: promise) }
        // Release the closure now: its captures need not live as long as the connection.
        self.tried = nil
        let start = ContinuousClock.now
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.whenComplete { tried(AddressOutcome(address.endpoint, $0, since: start)) }
        context.connect(to: address, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard let client else { return early.append(buffer) }
        client.transportBrought(buffer)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        client?.transportBroughtAll()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        client?.transportAcceptsMore()
    }

    func channelInactive(context: ChannelHandlerContext) { ended(.closed) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ended(SSHStreamEnd(error))
        context.close(promise: nil)
    }

    private func ended(_ end: SSHStreamEnd) {
        self.end = self.end ?? end
        client?.transportEnded(end, by: nil)
    }
}

extension SSHStreamEnd {
    /// The end of the stream for an error of the transport.
    init(_ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case Errno.connectionReset, Errno.brokenPipe: self = .reset
        case let code?: self = .failed(systemError: code)
        case nil: self = .closed
        }
    }
}
