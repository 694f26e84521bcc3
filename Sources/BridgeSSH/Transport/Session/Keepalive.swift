internal import CLibSSH2
internal import NIOCore

/// Asks a silent server for a sign of life (ServerAliveInterval of ssh_config(5)). Confined to its session.
final class Keepalive {
    private let interval: TimeAmount
    private let limit: Int
    private var unanswered = 0
    private var timer: RepeatedTask?
    /// How many were sent.
    private(set) var sentCount = 0

    /// - Parameters:
    ///   - interval: how long the server may be silent before it is asked.
    ///   - limit: how many questions in a row may go unanswered.
    init(interval: TimeAmount, limit: Int) {
        self.interval = interval
        self.limit = limit
    }

    /// Anything that the server sends is an answer.
    func heard() {
        unanswered = 0
    }

    func start(for session: Session) {
        timer = session.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [weak session] _ in
            session?.assumeIsolated { $0.keepaliveIsDue() }
        }
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    /// - Returns: whether the limit is passed.
    func ask() -> Bool {
        unanswered += 1
        sentCount += 1
        return unanswered > limit
    }

    var count: Int { unanswered - 1 }
    /// Whether a question has no answer yet.
    var isWaiting: Bool { unanswered > 0 }
}

extension Session {
    /// Begins to ask every `interval` seconds, and gives the server up after `limit` questions without an answer.
    func startKeepalive(interval: Double, limit: Int) {
        // libssh2 sends one only when its own clock, in whole seconds, agrees; our timer is the one that counts.
        libssh2_keepalive_config(raw, 1, 1)
        let keepalive = Keepalive(interval: .nanoseconds(Int64(interval * 1e9)), limit: limit)
        self.keepalive = keepalive
        keepalive.start(for: self)
    }

    fileprivate func keepaliveIsDue() {
        guard let keepalive, fault == nil else { return }
        // What it says is not read while it is held back: the silence is ours.
        if isHeldBack { keepalive.heard() }
        if keepalive.ask() {
            // Where a hop before this one is silent too, it is for that one to be given up.
            guard !carrier.isInDoubt else { return }
            fail(Fault(.keepaliveUnanswered(count: keepalive.count)))
            return
        }
        var next: Int32 = 0
        // EAGAIN only during a key re-exchange, when the server is not silent.
        _ = libssh2_keepalive_send(raw, &next)
        pump()
    }
}
