/// A dictionary for few keys that are mostly added in order. The entries are sorted, and found without hashing.
struct OrderedTable<Key: Comparable, Value> {
    private(set) var entries: [(key: Key, value: Value)] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// The index of a key's entry, or the index where it would be inserted.
    private func place(of key: Key) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of a key's entry; nil if there is none.
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

    /// Removes and returns a key's value; nil if there is none.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? { index(of: key).map { entries.remove(at: $0).value } }
}

extension OrderedTable: Sendable where Key: Sendable, Value: Sendable {}
