internal import DequeModule
internal import HeapModule

/// Limits the simultaneous logins at one address, to stay below the server's own limit (MaxStartups of sshd_config(5)).
struct LoginGate {
    private let limit: Int
    private var underWay: [Int]
    private var waiting: [Deque<Int>]

    /// - Parameters:
    ///   - addresses: the number of addresses.
    ///   - limit: the most simultaneous logins at one address.
    init(addresses: Int, limit: Int) {
        self.limit = max(1, limit)
        underWay = Array(repeating: 0, count: addresses)
        waiting = Array(repeating: [], count: addresses)
    }

    /// - Returns: whether the host may log in; if not, it is queued.
    mutating func enter(_ host: Int, at address: Int) -> Bool {
        guard underWay[address] < limit else {
            waiting[address].append(host)
            return false
        }
        underWay[address] += 1
        return true
    }

    /// - Returns: the next queued host, which must call `enter` again; nil if none waits.
    mutating func leave(_ address: Int) -> Int? {
        underWay[address] -= 1
        return waiting[address].popFirst()
    }

    func count(at address: Int) -> Int { underWay[address] }
}

/// The retries that all hosts of a run share, so that an outage does not cause a storm of attempts: a tenth of the hosts, at
/// least 3.
package struct RetryBudget: Sendable {
    private(set) package var left: Int

    package init(hosts: Int) { left = Self.size(hosts: hosts) }

    package static func size(hosts: Int) -> Int { max(3, hosts / 10) }

    mutating func take() -> Bool {
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}

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
    /// When the pause is given up.
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

/// Times at which hosts are due. Hosts with equal times keep the order in which they were added.
struct HostTimers {
    private struct Entry: Comparable {
        let due: Duration
        let number: UInt64
        let host: Int32

        static func < (one: Entry, other: Entry) -> Bool {
            one.due == other.due ? one.number < other.number : one.due < other.due
        }
    }

    private var entries = Heap<Entry>()
    private var added: UInt64 = 0

    /// When the earliest host is due.
    var next: Duration? { entries.min?.due }

    mutating func add(_ host: Int, due: Duration) {
        added += 1
        entries.insert(Entry(due: due, number: added, host: Int32(host)))
    }

    /// Removes and returns the earliest host, if it is due.
    mutating func popDue(at now: Duration) -> Int? {
        guard let first = entries.min, first.due <= now else { return nil }
        return entries.popMin().map { Int($0.host) }
    }

    mutating func removeAll() { entries = [] }
}
