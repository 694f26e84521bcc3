package import NIOCore

#if canImport(Musl)
    internal import Musl
#elseif canImport(Glibc)
    internal import Glibc
#endif

/// What carries a session's bytes: a socket, the pipes of a process, or a channel of another session.
///
/// All but the creation happens on `eventLoop`, which is the session's.
package protocol Carrier: Sendable {
    var eventLoop: any EventLoop { get }
    /// Succeeds once the carrier is closed, by either side.
    var closeFuture: EventLoopFuture<Void> { get }
    /// Whether it takes more. When it does again, the session's `pump` is called.
    var isWritable: Bool { get }
    /// How many bytes wait to be sent.
    var unsentCount: Int { get }
    /// Calls back when the hops that the bytes go through are known to answer: at once, unless one of them has left a keepalive
    /// unanswered. If that hop never answers, there is no call: its session fails and the stream ends.
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void)
    /// Gives the session what has arrived already; what arrives later is its to ask for by `read`.
    func attach(_ session: Session)
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
    /// The one in its pipeline; nil if the channel was closed before anybody heard of it.
    let handler: NIOLoopBound<SessionHandler>?

    package var eventLoop: any EventLoop { channel.eventLoop }
    package var closeFuture: EventLoopFuture<Void> { channel.closeFuture }
    package var isWritable: Bool { channel.isWritable }
    package var unsentCount: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }
    package func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { proceed() }

    package func attach(_ session: Session) {
        guard let handler else { return session.assumeIsolated { $0.noteEnd(.closed) } }
        if handler.value.attach(session) { session.assumeIsolated { $0.requestRead() } }
    }

    package func read() { channel.read() }
    package func write(_ bytes: ByteBuffer) { channel.pipeline.syncOperations.writeAndFlush(NIOAny(bytes), promise: nil) }
    package func close() { channel.close(promise: nil) }

    package func acknowledge() {
        #if os(Linux)
            // Only Linux lets one ask, and pipes have nothing to acknowledge.
            try? channel.syncOptions?.setOption(.tcpOption(.init(rawValue: TCP_QUICKACK)), value: 1)
        #endif
    }
}
