package import NIOCore

/// A channel that carries the session of the next hop, on the same event loop. Confined to the outer session.
///
/// Bytes leave in the order in which they were written, with one libssh2 call at a time. Deliveries are scheduled one at a
/// time. The inner session gets the end once, after all bytes. Closing waits for that end, for a limited time.
final class Tunnel {
    /// With this many unsent bytes the inner session stops writing.
    private static let highWater = 1 << 18

    let channel: SessionChannel
    /// Nil once the end was reported to it, or it has closed the tunnel.
    private(set) var inner: (any ByteTransportClient)?
    /// The bytes that libssh2 is sending. Their front must not change until they are sent, because a repeated call continues
    /// with them.
    private(set) var sending = ByteBuffer()
    /// The bytes to send after ``sending``.
    private var waiting = ByteBuffer()
    private var isSending = false
    private var wantsBytes = false
    private var deliveryIsDue = false
    private var innerMayWait = false
    /// Set once the inner session has closed it.
    private var closing: PendingClose?

    private struct PendingClose {
        /// Succeeds when the channel has ended, or its time is over.
        let done: EventLoopPromise<Void>
        let timer: Scheduled<Void>
        var hasSentEnd = false
    }

    init(channel: SessionChannel, inner: any ByteTransportClient) {
        self.channel = channel
        self.inner = inner
    }

    // MARK: Sending

    var unsentCount: Int { sending.readableBytes + waiting.readableBytes }
    private var isWritable: Bool { unsentCount < Self.highWater }

    /// Whether the inner session may write more. If not, it is called back when it may.
    func mayWrite() -> Bool {
        if !isWritable { innerMayWait = true }
        return isWritable
    }

    /// Whether the inner session waits to write, and may.
    var owesSpace: Bool { innerMayWait && isWritable }

    /// Notes that the inner session is notified.
    func takeSpace() -> Bool {
        guard owesSpace else { return false }
        innerMayWait = false
        return true
    }

    func enqueue(_ bytes: ByteBuffer) {
        if waiting.readableBytes == 0 { waiting = bytes } else { waiting.writeImmutableBuffer(bytes) }
    }

    /// Begins to send, if bytes wait and nothing else is being sent.
    ///
    /// - Returns: whether the caller must pass ``sending`` to libssh2 now.
    func beginSending() -> Bool {
        guard !isSending, unsentCount > 0 else { return false }
        if sending.readableBytes == 0 {
            sending = waiting
            waiting = ByteBuffer()
        }
        isSending = true
        return true
    }

    /// Removes the bytes that libssh2 has taken; nil if the hop accepts no more bytes. If it sends none either, the end of the
    /// stream reports that.
    func sent(_ count: Int?) {
        isSending = false
        if let count { sending.moveReaderIndex(forwardBy: count) } else { (sending, waiting) = (ByteBuffer(), ByteBuffer()) }
    }

    // MARK: Delivering

    /// The inner session asks for bytes.
    func ask() { wantsBytes = true }

    /// - Returns: whether the caller must schedule a delivery.
    func scheduleDelivery() -> Bool {
        guard !deliveryIsDue, inner != nil || closing != nil else { return false }
        deliveryIsDue = true
        return true
    }

    func beginDelivery() { deliveryIsDue = false }

    /// The bytes for the inner session, if it has asked and there are any.
    func takeBytes() -> ByteBuffer? {
        guard wantsBytes, let bytes = channel.take(0) else { return nil }
        wantsBytes = false
        return bytes
    }

    /// Ends deliveries: the inner session is about to get the end.
    func forgetInner() {
        inner = nil
        channel.endConsuming()
    }

    // MARK: Closing

    var isClosing: Bool { closing != nil }

    /// The inner session closes it.
    ///
    /// - Parameters:
    ///   - done: succeeds when the channel has ended.
    ///   - timer: ends the wait for that.
    func close(_ done: EventLoopPromise<Void>, timer: Scheduled<Void>) {
        inner = nil
        closing = PendingClose(done: done, timer: timer)
        channel.discardOutput()
    }

    /// Whether to send SSH_MSG_CHANNEL_EOF now: once, after all bytes.
    func mayEnd() -> Bool {
        guard unsentCount == 0, closing?.hasSentEnd == false else { return false }
        closing?.hasSentEnd = true
        return true
    }

    /// Called once, when it has ended.
    func finish() {
        channel.endConsuming()
        closing?.timer.cancel()
        closing?.done.succeed()
        closing = nil
    }
}

/// A channel of an outer session as the transport of an inner one, without a socket or a process between them.
package struct TunnelTransport: ByteTransport {
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

    package func attach(_ client: any ByteTransportClient) { outer.assumeIsolated { $0.attachTunnel(channel, to: client) } }
    package func read() { outer.assumeIsolated { $0.readTunnel(channel) } }
    package func write(_ bytes: ByteBuffer) { outer.assumeIsolated { $0.writeTunnel(channel, bytes) } }

    /// The outer session's transport has already acknowledged these bytes.
    package func acknowledge() {}
    package func close() { outer.assumeIsolated { $0.closeTunnel(channel, closed) } }
}

/// Tunnels: channels that carry the session of the next hop.
extension Session {
    func tunnel(_ id: ChannelID) -> Tunnel? { channels[id]?.consumer?.object as? Tunnel }

    // MARK: Requests of the inner session

    func attachTunnel(_ id: ChannelID, to inner: any ByteTransportClient) {
        // A channel that no longer exists has ended: report that to the inner session too.
        guard let channel = channels[id] else {
            return inner.transportIsReady(bytes: [], end: .closed, by: faultForNextHop, givesBuffersBack: false)
        }
        let tunnel = Tunnel(channel: channel, inner: inner)
        // Each holds the other until the tunnel is closed or has reported its end.
        channel.consume(by: ChannelConsumer(object: tunnel) { self.scheduleDelivery(tunnel, id) })
        inner.transportIsReady(bytes: [], end: nil, by: nil, givesBuffersBack: false)
    }

    func readTunnel(_ id: ChannelID) {
        guard let tunnel = tunnel(id) else { return }
        tunnel.ask()
        scheduleDelivery(tunnel, id)
    }

    func writeTunnel(_ id: ChannelID, _ bytes: ByteBuffer) {
        guard let tunnel = tunnel(id), !isDead else { return }
        tunnel.enqueue(bytes)
        send(tunnel, id)
    }

    func tunnelIsWritable(_ id: ChannelID) -> Bool { tunnel(id)?.mayWrite() ?? true }

    /// Ends the channel in order: written bytes, above all SSH_MSG_DISCONNECT, reach the next hop before this one is left.
    func closeTunnel(_ id: ChannelID, _ done: EventLoopPromise<Void>) {
        guard let tunnel = tunnel(id) else {
            closeChannel(id)
            return done.succeed()
        }
        guard !tunnel.isClosing else { return }
        let bound = NIOLoopBound(tunnel, eventLoop: eventLoop)
        let timer = eventLoop.scheduleTask(in: Self.closeTimeLimit) { self.assumeIsolated { $0.finish(bound.value, id) } }
        tunnel.close(done, timer: timer)
        conclude(tunnel, id)
    }

    /// How long the next hop may take to close after SSH_MSG_DISCONNECT.
    private static let closeTimeLimit = TimeAmount.milliseconds(500)

    private func conclude(_ tunnel: Tunnel, _ id: ChannelID) {
        guard tunnel.isClosing else { return }
        if isDead || tunnel.channel.progress.outputHasEnded { return finish(tunnel, id) }
        if tunnel.mayEnd() { submitEOF(id) }
    }

    private func finish(_ tunnel: Tunnel, _ id: ChannelID) {
        tunnel.finish()
        closeChannel(id)
    }

    // MARK: From the channel to the inner session

    /// Delivers later: the caller is in the middle of reading, and the inner session may write in response.
    private func scheduleDelivery(_ tunnel: Tunnel, _ id: ChannelID) {
        guard tunnel.scheduleDelivery() else { return }
        let bound = NIOLoopBound(tunnel, eventLoop: eventLoop)
        eventLoop.execute { self.assumeIsolated { $0.deliver(bound.value, id) } }
    }

    private func deliver(_ tunnel: Tunnel, _ id: ChannelID) {
        tunnel.beginDelivery()
        guard let inner = tunnel.inner else { return conclude(tunnel, id) }
        let channel = tunnel.channel
        // A tunnel has no extended data: drain it, so that it cannot block the channel.
        if channel.take(1) != nil { madeSpace(in: channel) }
        if tunnel.takeSpace() { inner.transportAcceptsMore() }
        if let bytes = tunnel.takeBytes() {
            inner.transportBrought(bytes)
            inner.transportBroughtAll()
            madeSpace(in: channel)
        } else if channel.progress.outputHasEnded, channel.isEmpty {
            tunnel.forgetInner()
            inner.transportEnded(.closed, by: channel.progress.endOfOutput ? nil : faultForNextHop)
        }
    }

    /// This session's fault as the next hop's session reports it.
    private var faultForNextHop: Fault? {
        guard var fault else { return nil }
        fault.isOfEarlierHop = true
        return fault
    }

    // MARK: From the inner session to the channel

    private func send(_ tunnel: Tunnel, _ id: ChannelID) {
        guard tunnel.beginSending() else { return }
        submit(on: id) {
            self.write(tunnel.sending, to: tunnel.channel)
        } completion: { result in
            tunnel.sent(try? result.get())
            if tunnel.owesSpace { self.scheduleDelivery(tunnel, id) }
            self.send(tunnel, id)
            self.conclude(tunnel, id)
        }
    }
}
