/// Holds a run up while the cause of failures is on this machine: the network is gone, the agent, or a resource is used up.
///
/// One host alone may have no way from here (an IPv6 address and no IPv6): only as many ends in a row as cannot be an accident
/// count. While it lasts one host at a time is tried.
struct LocalPause {
    /// Ends in a row with a local cause that hold the run up.
    private static let enough = 3
    private static let firstProbe = Duration.seconds(1)
    private static let slowestProbe = Duration.seconds(5)
    /// A host whose second attempt fails here as well, with another host reached so recently, fails for itself.
    private static let recent = Duration.seconds(2)
    /// After which a host that failed for a local cause is tried again.
    static let secondLook = Duration.seconds(1)

    let limit: Duration
    private(set) var reason: String?
    private var beganAt = Duration.zero
    private(set) var nextProbe = Duration.zero
    private var interval = Self.firstProbe
    private var inARow = 0
    /// Counts what went well.
    private(set) var goods: UInt32 = 0
    private var lastGood: Duration?

    init(limit: Duration) { self.limit = limit }

    var isOn: Bool { reason != nil }
    /// When it is given up.
    var end: Duration { beganAt + limit }

    /// Whether a host that failed for a local cause before, when this many had gone well, and now again, fails for itself.
    func isOwn(since goods: UInt32, at now: Duration) -> Bool {
        self.goods > goods || (lastGood.map { now - $0 < Self.recent } ?? false)
    }

    /// An attempt failed for a cause on this machine.
    ///
    /// - Parameter left: the hosts that have not ended.
    /// - Returns: whether the run is held up from now on.
    mutating func failed(_ reason: String, left: Int, at now: Duration) -> Bool {
        inARow += 1
        if isOn {
            interval = min(interval * 2, Self.slowestProbe)
            nextProbe = max(nextProbe, now + interval)
            return false
        }
        guard inARow >= min(Self.enough, left) else { return false }
        self.reason = reason
        beganAt = now
        interval = Self.firstProbe
        nextProbe = now + interval
        return true
    }

    /// A host was reached, or failed for another cause.
    ///
    /// - Returns: the reason of the pause that this ends.
    mutating func wentWell(at now: Duration) -> String? {
        inARow = 0
        goods &+= 1
        lastGood = now
        defer { reason = nil }
        return reason
    }
}
