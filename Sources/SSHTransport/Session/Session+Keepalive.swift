internal import NIOCore

/// A server that falls silent, and is given up for it.
extension Session {
    /// Starts to send keepalives every `interval` seconds, and gives the server up after `limit` unanswered ones.
    func startKeepalive(interval: Double, limit: Int) {
        library.configureKeepalives()
        let keepalive = Keepalive(interval: .nanoseconds(Int64(interval * 1e9)), limit: limit)
        self.keepalive = keepalive
        keepalive.start(on: eventLoop) { [weak self] in self?.assumeIsolated { $0.keepaliveIsDue() } }
    }

    private func keepaliveIsDue() {
        // Past the limit it is `concludeSilence` that decides.
        guard let keepalive, !isDead else { return }
        // While reading is held back, the server's bytes are not read: the silence is ours.
        if isHeldBack { keepalive.heard() }
        guard !keepalive.limitIsPassed else { return }
        guard keepalive.mayAsk() else {
            // The silence is this server's own only if the hops before it answer. A hop that does not is given up itself, and
            // this session ends with it. What counts is that a hop answers some time from now: whether it owes an answer right
            // now says nothing, for that may be so at every tick of this timer.
            return carrier.whenAnswering { [weak self] in self?.enqueueConclusion() }
        }
        library.sendKeepalive()
        pump()
    }

    /// Not at once: the caller is still taking bytes.
    private nonisolated func enqueueConclusion() {
        eventLoop.execute { self.assumeIsolated { $0.concludeSilence() } }
    }

    /// Gives the server up, unless bytes have arrived from it in the meantime.
    private func concludeSilence() {
        guard let keepalive, keepalive.limitIsPassed else { return }
        fail(Fault(.keepaliveUnanswered(count: keepalive.limit)))
    }

    /// Calls back when this server is known to answer: see `Carrier`.
    ///
    /// Once this session has failed there is no call. The sessions inside it end with it.
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void) {
        guard !isDead else { return }
        guard let keepalive, keepalive.isWaiting else { return carrier.whenAnswering(proceed) }
        keepalive.onceHeard(proceed)
    }

    /// Replaces the keepalives; nil sends none.
    package func keepAlive(_ options: SSHKeepaliveOptions?) {
        keepalive?.turnOff()
        keepalive = nil
        guard !isDead, let options else { return }
        startKeepalive(interval: options.interval.boundedSeconds, limit: options.countMax)
    }
}
