package import NIOCore

/// A channel that carries the session of the next hop, on the same event loop. Confined to the outer session.
final class Tunnel {
    /// From here on the inner session holds back what it would send.
    static let highWater = 1 << 18

    let channel: SessionChannel
    /// Nil before the inner session is attached, and again once the end was reported to it.
    var inner: Session?
    /// What libssh2 is being given; until it is gone its front must stay as it is, whatever a call that is repeated has begun.
    var sending = ByteBuffer()
    /// What comes after it.
    var waiting = ByteBuffer()
    var isSending = false
    var wantsBytes = false
    var deliveryIsDue = false
    var innerMayWait = false
    /// Set once the inner session has let go: fulfilled when the channel has ended, or has had its time to.
    var letGo: EventLoopPromise<Void>?
    var hasSentEnd = false
    var timer: Scheduled<Void>?

    init(channel: SessionChannel) { self.channel = channel }

    var unsent: Int { sending.readableBytes + waiting.readableBytes }
    var isWritable: Bool { unsent < Self.highWater }
}

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

    package var unsentCount: Int { outer.assumeIsolated { $0.tunnels[channel]?.unsent ?? 0 } }

    package func whenAnswering(_ proceed: @escaping @Sendable () -> Void) { outer.assumeIsolated { $0.whenAnswering(proceed) } }

    package func attach(_ session: Session) { outer.assumeIsolated { $0.attachTunnel(channel, to: session) } }
    package func read() { outer.assumeIsolated { $0.readTunnel(channel) } }
    package func write(_ bytes: ByteBuffer) { outer.assumeIsolated { $0.writeTunnel(channel, bytes) } }

    /// What has arrived here the outer session's carrier has acknowledged.
    package func acknowledge() {}
    package func close() { outer.assumeIsolated { $0.closeTunnel(channel, closed) } }
}

extension Session {
    // MARK: What the inner session asks for

    func attachTunnel(_ id: ChannelID, to inner: Session) {
        // A channel that no longer exists has ended: report that to the inner session too.
        guard let channel = channels[id] else {
            let cause = faultForNextHop
            return inner.assumeIsolated { $0.noteEnd(.closed, by: cause) }
        }
        let tunnel = Tunnel(channel: channel)
        tunnel.inner = inner
        tunnels[id] = tunnel
        // Each holds the other until the tunnel is closed or has reported its end.
        channel.arrived = { self.scheduleDelivery(tunnel, id) }
        inner.assumeIsolated { $0.requestRead() }
    }

    func readTunnel(_ id: ChannelID) {
        guard let tunnel = tunnels[id] else { return }
        tunnel.wantsBytes = true
        scheduleDelivery(tunnel, id)
    }

    func writeTunnel(_ id: ChannelID, _ bytes: ByteBuffer) {
        guard let tunnel = tunnels[id], !isDead else { return }
        if tunnel.waiting.readableBytes == 0 { tunnel.waiting = bytes } else { tunnel.waiting.writeImmutableBuffer(bytes) }
        send(tunnel, id)
    }

    func tunnelIsWritable(_ id: ChannelID) -> Bool {
        guard let tunnel = tunnels[id] else { return true }
        if !tunnel.isWritable { tunnel.innerMayWait = true }
        return tunnel.isWritable
    }

    /// Ends the channel in order: what has been written, the goodbye above all, reaches the next hop before this one is left.
    func closeTunnel(_ id: ChannelID, _ done: EventLoopPromise<Void>) {
        guard let tunnel = tunnels[id] else {
            closeChannel(id)
            return done.succeed()
        }
        guard tunnel.letGo == nil else { return }
        tunnel.inner = nil
        tunnel.letGo = done
        tunnel.channel.discardsOutput = true
        tunnel.timer = eventLoop.scheduleTask(in: Self.partingPatience) { self.assumeIsolated { $0.finishTunnel(id) } }
        conclude(tunnel, id)
    }

    /// How long the next hop may take to hang up after the goodbye.
    private static let partingPatience = TimeAmount.milliseconds(500)

    private func conclude(_ tunnel: Tunnel, _ id: ChannelID) {
        guard tunnel.letGo != nil else { return }
        if fault != nil || tunnel.channel.outputHasEnded { return finishTunnel(id) }
        guard tunnel.unsent == 0, !tunnel.hasSentEnd else { return }
        tunnel.hasSentEnd = true
        submitEOF(id)
    }

    private func finishTunnel(_ id: ChannelID) {
        guard let tunnel = tunnels.removeValue(forKey: id) else { return }
        tunnel.timer?.cancel()
        tunnel.channel.arrived = nil
        closeChannel(id)
        tunnel.letGo?.succeed()
    }

    // MARK: From the channel to the inner session

    /// Not at once: what brings the bytes is in the midst of reading, and the inner session writes in turn.
    private func scheduleDelivery(_ tunnel: Tunnel, _ id: ChannelID) {
        guard !tunnel.deliveryIsDue, tunnel.inner != nil || tunnel.letGo != nil else { return }
        tunnel.deliveryIsDue = true
        let bound = NIOLoopBound(tunnel, eventLoop: eventLoop)
        eventLoop.execute { self.assumeIsolated { $0.deliver(bound.value, id) } }
    }

    private func deliver(_ tunnel: Tunnel, _ id: ChannelID) {
        tunnel.deliveryIsDue = false
        guard let inner = tunnel.inner else { return conclude(tunnel, id) }
        let channel = tunnel.channel
        // A tunnel has no extended data: drain it, so that it cannot block the channel.
        _ = channel.take(1)
        if tunnel.innerMayWait, tunnel.isWritable {
            tunnel.innerMayWait = false
            inner.assumeIsolated { $0.pump() }
        }
        if tunnel.wantsBytes, let bytes = channel.take(0) {
            tunnel.wantsBytes = false
            inner.assumeIsolated { inner in
                inner.arrived(bytes)
                inner.arrivalCompleted()
            }
            if !channel.isDrained { pump() }
        } else if channel.outputHasEnded, channel.isEmpty {
            tunnel.inner = nil
            channel.arrived = nil
            let cause = channel.endOfOutput ? nil : faultForNextHop
            inner.assumeIsolated { $0.streamEnded(.closed, by: cause) }
        }
    }

    /// This session's fault as the next hop's session has it.
    private var faultForNextHop: Fault? {
        guard var fault else { return nil }
        fault.isOfEarlierHop = true
        return fault
    }

    // MARK: From the inner session to the channel

    private func send(_ tunnel: Tunnel, _ id: ChannelID) {
        guard !tunnel.isSending, tunnel.unsent > 0 else { return }
        if tunnel.sending.readableBytes == 0 {
            tunnel.sending = tunnel.waiting
            tunnel.waiting = ByteBuffer()
        }
        tunnel.isSending = true
        let channel = tunnel.channel
        submit("libssh2_channel_write_ex", on: id) {
            self.write(tunnel.sending, to: channel)
        } completion: { result in
            tunnel.isSending = false
            switch result {
            case .success(let count): tunnel.sending.moveReaderIndex(forwardBy: count)
            // The hop accepts no more bytes. If it sends none either, the end of the stream reports that.
            case .failure: (tunnel.sending, tunnel.waiting) = (ByteBuffer(), ByteBuffer())
            }
            if tunnel.innerMayWait, tunnel.isWritable { self.scheduleDelivery(tunnel, id) }
            self.send(tunnel, id)
            self.conclude(tunnel, id)
        }
    }
}
