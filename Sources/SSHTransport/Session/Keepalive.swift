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
