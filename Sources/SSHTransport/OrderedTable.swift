/// A dictionary for few keys, most of which are added in order: its entries are sorted, and found without a hash.
struct OrderedTable<Key: Comparable, Value> {
    private(set) var entries: [(key: Key, value: Value)] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Where a key's entry is, or would be.
    private func place(of key: Key) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where a key's entry is; nil where there is none.
    func index(of key: Key) -> Int? {
        let place = place(of: key)
        return place < entries.count && entries[place].key == key ? place : nil
    }

    subscript(key: Key) -> Value? { index(of: key).map { entries[$0].value } }

    /// Changes the value of an entry.
    mutating func change(at index: Int, _ change: (inout Value) -> Void) { change(&entries[index].value) }

    /// Sets a key's value.
    mutating func set(_ key: Key, _ value: Value) {
        let place = place(of: key)
        if place < entries.count, entries[place].key == key {
            entries[place].value = value
        } else {
            entries.insert((key, value), at: place)
        }
    }

    /// Takes a key's value out; nil where there is none.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? { index(of: key).map { entries.remove(at: $0).value } }
}

extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}
