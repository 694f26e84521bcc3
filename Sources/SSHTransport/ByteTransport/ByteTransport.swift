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
