/// Hosts that wait for something, the first to come first. Every operation takes constant time, on average.
struct HostQueue {
    private var hosts: [Int32] = []
    private var head = 0

    var isEmpty: Bool { head == hosts.count }
    var count: Int { hosts.count - head }

    mutating func append(_ host: Int) { hosts.append(Int32(host)) }

    mutating func popFirst() -> Int? {
        guard head < hosts.count else { return nil }
        defer {
            head += 1
            if head == hosts.count {
                hosts.removeAll(keepingCapacity: true)
                head = 0
            } else if head > 1024, head * 2 > hosts.count {
                hosts.removeFirst(head)
                head = 0
            }
        }
        return Int(hosts[head])
    }

    /// All of them in order; none is left.
    mutating func removeAll() -> [Int] {
        defer { (hosts, head) = ([], 0) }
        return hosts[head...].map(Int.init)
    }
}
