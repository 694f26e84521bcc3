/// A first-in, first-out queue of hosts. Every operation takes constant time on average.
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

    /// Removes and returns all hosts, in order.
    mutating func removeAll() -> [Int] {
        defer { (hosts, head) = ([], 0) }
        return hosts[head...].map(Int.init)
    }
}

/// Times at which hosts are due, in a binary heap: adding a host and removing the earliest take logarithmic time. Hosts with
/// equal times keep the order in which they were added.
struct HostTimers {
    private struct Entry {
        let due: Duration
        let number: UInt64
        let host: Int32

        func precedes(_ other: Entry) -> Bool { due == other.due ? number < other.number : due < other.due }
    }

    private var entries: [Entry] = []
    private var added: UInt64 = 0

    /// When the earliest host is due.
    var next: Duration? { entries.first?.due }

    mutating func add(_ host: Int, due: Duration) {
        added += 1
        entries.append(Entry(due: due, number: added, host: Int32(host)))
        var place = entries.count - 1
        while place > 0, entries[place].precedes(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the earliest host, if it is due.
    mutating func popDue(at now: Duration) -> Int? {
        guard let first = entries.first, first.due <= now else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return Int(first.host) }
        entries[0] = last
        var place = 0
        while true {
            let left = place * 2 + 1
            guard left < entries.count else { break }
            let right = left + 1
            let child = right < entries.count && entries[right].precedes(entries[left]) ? right : left
            guard entries[child].precedes(entries[place]) else { break }
            entries.swapAt(place, child)
            place = child
        }
        return Int(first.host)
    }

    mutating func removeAll() { entries = [] }
}

/// Reproducible random numbers from a seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
