package import NIOCore

#if canImport(Glibc)
    internal import Glibc
#endif

/// Carries a session's bytes: a socket, the pipes of a process, or a channel of another session.
///
/// All but the creation happens on `eventLoop`, which is the session's.
package protocol ByteTransport: Sendable {
    var eventLoop: any EventLoop { get }
    /// Succeeds once the transport is closed, by either side.
    var closeFuture: EventLoopFuture<Void> { get }
    /// Whether it accepts more bytes. When it does again, it calls the client's `transportAcceptsMore`.
    var isWritable: Bool { get }
    /// The number of bytes that wait to be sent.
    var unsentCount: Int { get }
    /// Calls back when the hops that carry the bytes are known to answer: at once, unless one of them has left a keepalive
    /// unanswered. If that hop never answers, there is no call: its session fails and the stream ends.
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void)
    /// Passes the bytes that have already arrived to the client. The client requests later bytes by `read`.
    func attach(_ client: any ByteTransportClient)
    /// Asks for the next bytes.
    func read()
    func write(_ bytes: ByteBuffer)
    /// Acknowledges received bytes to the peer at once, instead of with the next bytes or a little later.
    func acknowledge()
    /// Closes at once; unsent bytes are lost.
    func close()
}

/// A NIO channel whose automatic reading is off.
package struct ChannelTransport: ByteTransport {
    let channel: any Channel
    /// The handler in its pipeline; nil if the channel was closed before its creation was reported.
    let handler: NIOLoopBound<SessionHandler>?

    package var eventLoop: any EventLoop { channel.eventLoop }
    package var closeFuture: EventLoopFuture<Void> { channel.closeFuture }
    package var isWritable: Bool { channel.isWritable }
    package var unsentCount: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }
    package func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { proceed() }

    package func attach(_ client: any ByteTransportClient) {
        guard let handler else { return client.transportIsReady(bytes: [], end: .closed, by: nil, givesBuffersBack: false) }
        handler.value.attach(client)
    }

    package func read() { channel.read() }
    package func write(_ bytes: ByteBuffer) { channel.pipeline.syncOperations.writeAndFlush(NIOAny(bytes), promise: nil) }
    package func close() { channel.close(promise: nil) }

    package func acknowledge() {
        #if os(Linux)
            // Only Linux has this option, and pipes have nothing to acknowledge.
            try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_QUICKACK)), value: 1)
        #endif
    }
}

/// The session whose bytes a transport carries. All calls come on the transport's event loop.
package protocol ByteTransportClient: AnyObject, Sendable {
    /// The first call: the client may ask for bytes from now on.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that came before, in order.
    ///   - end: how the stream ended after them; nil while it is open.
    ///   - cause: the fault of the earlier hop that ended it.
    ///   - givesBuffersBack: whether the buffers are those of ``ReceiveBuffers``.
    func transportIsReady(bytes: [ByteBuffer], end: SSHStreamEnd?, by cause: Fault?, givesBuffersBack: Bool)
    /// Some of the requested bytes have come.
    func transportBrought(_ bytes: ByteBuffer)
    /// A read is complete; the client may request the next.
    func transportBroughtAll()
    /// The stream has ended after all earlier bytes.
    func transportEnded(_ end: SSHStreamEnd, by cause: Fault?)
    /// The transport accepts bytes again.
    func transportAcceptsMore()
}

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
