/// Times at which hosts are due, in a binary heap: adding one and taking the earliest takes logarithmic time. Equal times are in
/// the order in which they were added.
struct HostTimers {
    private struct Entry {
        let due: Duration
        let number: UInt64
        let host: Int32

        func precedes(_ other: Entry) -> Bool { due == other.due ? number < other.number : due < other.due }
    }

    private var entries: [Entry] = []
    private var added: UInt64 = 0

    /// When the earliest is due.
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

    /// The earliest, if it is due.
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
