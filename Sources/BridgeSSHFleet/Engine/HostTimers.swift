internal import HeapModule

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
