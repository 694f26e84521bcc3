internal import NIOCore

/// Sends keepalives to a silent server and counts those without an answer (ServerAliveInterval of ssh_config(5)). Confined to
/// its session.
final class Keepalive {
    private let interval: TimeAmount
    /// The number of consecutive keepalives that may go unanswered.
    let limit: Int
    private var unanswered = 0
    private var timer: RepeatedTask?
    /// Inner sessions that passed their own limit and wait to learn whether this server answers.
    private var untilHeard: [@Sendable () -> Void] = []

    /// - Parameter interval: the time of silence before each keepalive.
    init(interval: TimeAmount, limit: Int) {
        self.interval = interval
        self.limit = limit
    }

    /// Anything that the server sends is an answer.
    func heard() {
        unanswered = 0
        if !untilHeard.isEmpty { release() }
    }

    /// Whether a keepalive has no answer yet.
    var isWaiting: Bool { unanswered > 0 }
    var limitIsPassed: Bool { unanswered > limit }

    /// Calls back at the server's next bytes, or when keepalives are turned off. After ``stop()`` there is no call.
    func onceHeard(_ proceed: @escaping @Sendable () -> Void) { untilHeard.append(proceed) }

    /// - Parameter isDue: called on the loop after each interval.
    func start(on loop: any EventLoop, isDue: @escaping @Sendable () -> Void) {
        timer = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in isDue() }
    }

    /// Ends it with its session.
    func stop() {
        timer?.cancel()
        timer = nil
        untilHeard = []
    }

    /// Ends it, but not its session: this server is no longer in doubt.
    func turnOff() {
        release()
        stop()
    }

    /// Counts one more keepalive.
    ///
    /// - Returns: false if the limit is passed: then none is sent.
    func mayAsk() -> Bool {
        unanswered += 1
        return !limitIsPassed
    }

    private func release() {
        let released = untilHeard
        untilHeard = []
        for proceed in released { proceed() }
    }
}

/// Ends the session when the server stays silent.
extension Session {
    /// Sends keepalives every `interval` seconds, and ends the session after `limit` unanswered ones.
    func startKeepalive(interval: Double, limit: Int) {
        library.configureKeepalives()
        let keepalive = Keepalive(interval: .nanoseconds(Int64(interval * 1e9)), limit: limit)
        self.keepalive = keepalive
        keepalive.start(on: eventLoop) { [weak self] in self?.assumeIsolated { $0.keepaliveIsDue() } }
    }

    private func keepaliveIsDue() {
        // Past the limit `endIfSilent` decides.
        guard let keepalive, !isDead else { return }
        // While reading is held back, the server's bytes stay unread: the silence is not the server's.
        if isHeldBack { keepalive.heard() }
        guard !keepalive.limitIsPassed else { return }
        guard keepalive.mayAsk() else {
            // This server is silent only if the hops before it answer. A hop that does not answer ends its own session, and
            // this session with it. Wait for an answer that comes from now on: a hop may be waiting for an answer at every
            // tick of this timer, so its current state proves nothing.
            return transport.whenAnswering { [weak self] in self?.enqueueConclusion() }
        }
        library.sendKeepalive()
        pump()
    }

    /// Later, because the caller is still consuming bytes.
    private nonisolated func enqueueConclusion() {
        eventLoop.execute { self.assumeIsolated { $0.endIfSilent() } }
    }

    /// Ends the session, unless bytes have arrived in the meantime.
    private func endIfSilent() {
        guard let keepalive, keepalive.limitIsPassed else { return }
        fail(Fault(.keepaliveUnanswered(count: keepalive.limit)))
    }

    /// Calls back when this server is known to answer: see `ByteTransport`.
    ///
    /// After this session has failed there is no call: the sessions inside it end with it.
    func whenAnswering(_ proceed: @escaping @Sendable () -> Void) {
        guard !isDead else { return }
        guard let keepalive, keepalive.isWaiting else { return transport.whenAnswering(proceed) }
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
