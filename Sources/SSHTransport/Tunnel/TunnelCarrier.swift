package import NIOCore

/// A channel of an outer session as the carrier of an inner one, without a socket or a process between them.
package struct TunnelCarrier: Carrier {
    let outer: Session
    let channel: ChannelID
    private let closed: EventLoopPromise<Void>

    package init(through outer: Session, _ channel: ChannelID) {
        self.outer = outer
        self.channel = channel
        closed = outer.eventLoop.makePromise()
    }

    package var eventLoop: any EventLoop { outer.eventLoop }
    package var closeFuture: EventLoopFuture<Void> { closed.futureResult }
    package var isWritable: Bool { outer.assumeIsolated { $0.tunnelIsWritable(channel) } }

    package var unsentCount: Int { outer.assumeIsolated { $0.tunnel(channel)?.unsentCount ?? 0 } }

    package func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { outer.assumeIsolated { $0.whenAnswering(proceed) } }

    package func attach(_ client: any CarrierClient) { outer.assumeIsolated { $0.attachTunnel(channel, to: client) } }
    package func read() { outer.assumeIsolated { $0.readTunnel(channel) } }
    package func write(_ bytes: ByteBuffer) { outer.assumeIsolated { $0.writeTunnel(channel, bytes) } }

    /// What has arrived here the outer session's carrier has acknowledged.
    package func acknowledge() {}
    package func close() { outer.assumeIsolated { $0.closeTunnel(channel, closed) } }
}
