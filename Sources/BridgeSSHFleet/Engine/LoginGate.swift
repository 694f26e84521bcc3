/// Bounds the logins under way at one address, so that a server's own limit (MaxStartups of sshd_config(5)) is not met.
struct LoginGate {
    private let most: Int
    private var underWay: [Int]
    private var waiting: [HostQueue]

    /// - Parameters:
    ///   - addresses: how many there are.
    ///   - most: logins at one address at a time.
    init(addresses: Int, most: Int) {
        self.most = max(1, most)
        underWay = Array(repeating: 0, count: addresses)
        waiting = Array(repeating: HostQueue(), count: addresses)
    }

    /// - Returns: whether the host may log in; if not, it waits here.
    mutating func enter(_ host: Int, at address: Int) -> Bool {
        guard underWay[address] < most else {
            waiting[address].append(host)
            return false
        }
        underWay[address] += 1
        return true
    }

    /// - Returns: a host that has waited and may enter now. It enters anew.
    mutating func leave(_ address: Int) -> Int? {
        underWay[address] -= 1
        return waiting[address].popFirst()
    }

    func count(at address: Int) -> Int { underWay[address] }
}

/// What all hosts of a run share for trying again, so that an outage is not hammered: a tenth of the hosts, at least 3.
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
