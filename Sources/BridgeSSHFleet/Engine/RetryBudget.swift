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
