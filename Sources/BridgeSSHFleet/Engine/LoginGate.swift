internal import DequeModule

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
