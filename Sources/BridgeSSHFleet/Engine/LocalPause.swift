/// Pauses a run while the cause of failures is on this machine: the network or the agent is gone, or a resource is used up.
///
/// A single host may be unreachable from this machine (an IPv6 address without IPv6), so only several failures in a row pause the
/// run. During the pause one host at a time is tried.
struct LocalPause {
    /// The number of local failures in a row that pause the run.
    private static let failureThreshold = 3
    private static let firstProbe = Duration.seconds(1)
    private static let slowestProbe = Duration.seconds(5)
    /// If another host was reached this recently, a second local failure counts as the host's own.
    private static let recent = Duration.seconds(2)
    /// The delay before a host with a local failure is tried again.
    static let retryDelay = Duration.seconds(1)

    let limit: Duration
    private(set) var reason: String?
    private var beganAt = Duration.zero
    private(set) var nextProbe = Duration.zero
    private var interval = Self.firstProbe
    private var consecutiveFailures = 0
    /// Counts successes.
    private(set) var successes: UInt32 = 0
    private var lastSuccess: Duration?

    init(limit: Duration) { self.limit = limit }

    var isActive: Bool { reason != nil }
    /// The time at which the pause, and so the run, is given up.
    var end: Duration { beganAt + limit }

    /// Whether a second local failure of a host is its own failure.
    ///
    /// - Parameter successes: the number of successes at its first failure.
    func isHostFault(since successes: UInt32, at now: Duration) -> Bool {
        self.successes > successes || (lastSuccess.map { now - $0 < Self.recent } ?? false)
    }

    /// Whether an unresolved name is the only failing one: another host was reached recently, or hosts were reached and this one
    /// is the last.
    func isHostNameFault(isLastHost: Bool, at now: Duration) -> Bool {
        lastSuccess.map { isLastHost || now - $0 < Self.recent } ?? false
    }

    /// Records an attempt that failed for a cause on this machine.
    ///
    /// - Parameter left: the number of hosts that have not ended.
    /// - Returns: whether the run is paused from now on.
    mutating func failed(_ reason: String, left: Int, at now: Duration) -> Bool {
        consecutiveFailures += 1
        if isActive {
            interval = min(interval * 2, Self.slowestProbe)
            nextProbe = max(nextProbe, now + interval)
            return false
        }
        guard consecutiveFailures >= min(Self.failureThreshold, left) else { return false }
        self.reason = reason
        beganAt = now
        interval = Self.firstProbe
        nextProbe = now + interval
        return true
    }

    /// Records that a host was reached, or failed for another cause.
    ///
    /// - Returns: the reason of the pause that ends now; nil if there was none.
    mutating func hostSucceeded(at now: Duration) -> String? {
        consecutiveFailures = 0
        successes &+= 1
        lastSuccess = now
        defer { reason = nil }
        return reason
    }
}
