package import NIOCore

#if canImport(Musl)
    internal import Musl
#elseif canImport(Glibc)
    internal import Glibc
#endif

/// Carries a session's bytes: a socket, the pipes of a process, or a channel of another session.
///
/// All but the creation happens on `eventLoop`, which is the session's.
package protocol Carrier: Sendable {
    var eventLoop: any EventLoop { get }
    /// Succeeds once the carrier is closed, by either side.
    var closeFuture: EventLoopFuture<Void> { get }
    /// Whether it accepts more bytes. When it does again, it calls the client's `carrierAcceptsMore`.
    var isWritable: Bool { get }
    /// The number of bytes that wait to be sent.
    var unsentCount: Int { get }
    /// Calls back when the hops that carry the bytes are known to answer: at once, unless one of them has left a keepalive
    /// unanswered. If that hop never answers, there is no call: its session fails and the stream ends.
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void)
    /// Hands the client what has arrived already; the client asks for later bytes by `read`.
    func attach(_ client: any CarrierClient)
    /// Asks for the next bytes.
    func read()
    func write(_ bytes: ByteBuffer)
    /// Acknowledges received bytes to the peer at once, instead of with the next bytes or a little later.
    func acknowledge()
    /// Closes at once; what has not been sent is lost.
    func close()
}

/// A NIO channel whose automatic reading is off.
package struct ChannelCarrier: Carrier {
    let channel: any Channel
    /// The handler in its pipeline; nil if the channel was closed before its creation was reported.
    let handler: NIOLoopBound<SessionHandler>?

    package var eventLoop: any EventLoop { channel.eventLoop }
    package var closeFuture: EventLoopFuture<Void> { channel.closeFuture }
    package var isWritable: Bool { channel.isWritable }
    package var unsentCount: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }
    package func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { proceed() }

    package func attach(_ client: any CarrierClient) {
        guard let handler else { return client.carrierIsReady(bytes: [], end: .closed, by: nil, givesBuffersBack: false) }
        handler.value.attach(client)
    }

    package func read() { channel.read() }
    package func write(_ bytes: ByteBuffer) { channel.pipeline.syncOperations.writeAndFlush(NIOAny(bytes), promise: nil) }
    package func close() { channel.close(promise: nil) }

    package func acknowledge() {
        #if os(Linux)
            // Only Linux has an option for that, and pipes have nothing to acknowledge.
            try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_QUICKACK)), value: 1)
        #endif
    }
}
