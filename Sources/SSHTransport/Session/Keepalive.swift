internal import CLibSSH2
internal import NIOCore

/// Sends keepalives to a silent server and counts those without an answer (ServerAliveInterval of ssh_config(5)). Confined to
/// its session.
final class Keepalive {
    private let interval: TimeAmount
    /// How many keepalives in a row may go unanswered.
    let limit: Int
    private var unanswered = 0
    private var timer: RepeatedTask?
    /// Inner sessions that have passed their own limit and wait to learn whether this server answers.
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

    func start(for session: Session) {
        timer = session.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [weak session] _ in
            session?.assumeIsolated { $0.keepaliveIsDue() }
        }
    }

    /// Ends it with its session.
    func stop() {
        timer?.cancel()
        timer = nil
        untilHeard = []
    }

    /// Ends it while its session goes on: this server is no longer in doubt.
    func turnOff() {
        release()
        stop()
    }

    /// Counts one more keepalive.
    ///
    /// - Returns: false if the limit is passed, and none is to be sent.
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

extension Session {
    /// Starts to send keepalives every `interval` seconds, and gives the server up after `limit` unanswered ones.
    func startKeepalive(interval: Double, limit: Int) {
        libssh2_keepalive_config(raw, 1, Self.alwaysDue)
        let keepalive = Keepalive(interval: .nanoseconds(Int64(interval * 1e9)), limit: limit)
        self.keepalive = keepalive
        keepalive.start(for: self)
    }

    /// An interval with which libssh2 sends a keepalive at each call.
    ///
    /// Our timer is the clock. libssh2's counts whole seconds of the time of day, at least two (keepalive.c:
    /// `libssh2_keepalive_config`): it would leave out some, which then pass for unanswered. It keeps the interval in an `int`,
    /// so this is a time long past.
    private static let alwaysDue = UInt32(bitPattern: .min)

    fileprivate func keepaliveIsDue() {
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
        var next: Int32 = 0
        // During a key re-exchange none is sent. A server that is silent then is as silent.
        _ = libssh2_keepalive_send(raw, &next)
        keepalivesSent += 1
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
    package func keepAlive(_ options: KeepaliveOptions?) {
        keepalive?.turnOff()
        keepalive = nil
        guard !isDead, let options else { return }
        startKeepalive(interval: options.interval.boundedSeconds, limit: options.countMax)
    }
}
