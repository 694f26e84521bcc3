internal import NIOCore

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
        let timer = eventLoop.scheduleTask(in: Self.partingPatience) { self.assumeIsolated { $0.finish(bound.value, id) } }
        tunnel.close(done, timer: timer)
        conclude(tunnel, id)
    }

    /// How long the next hop may take to close after SSH_MSG_DISCONNECT.
    private static let partingPatience = TimeAmount.milliseconds(500)

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
        if channel.take(1) != nil { madeRoom(in: channel) }
        if tunnel.takeRoom() { inner.transportAcceptsMore() }
        if let bytes = tunnel.takeBytes() {
            inner.transportBrought(bytes)
            inner.transportBroughtAll()
            madeRoom(in: channel)
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
            if tunnel.owesRoom { self.scheduleDelivery(tunnel, id) }
            self.send(tunnel, id)
            self.conclude(tunnel, id)
        }
    }
}
