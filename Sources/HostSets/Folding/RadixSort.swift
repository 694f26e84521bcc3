/// Positions sorted by keys that are numbers, some bits of the keys after others.
struct RadixSort {
    private var order: [Int32]
    /// What each position is sorted by next, and how many bits that has.
    private var keys: [UInt64]
    private var width = 0

    init(count: Int) {
        order = Array(0..<Int32(count))
        keys = [UInt64](repeating: 0, count: count)
    }

    /// Sorts by the key of each position, whatever the keys before say; those with the same key stay in the order of the keys before.
    mutating func add(bits: Int, _ key: (_ position: Int) -> UInt64) {
        if width + bits > UInt64.bitWidth { sort() }
        keys.withUnsafeMutableBufferPointer { keys in
            for position in keys.indices { keys[position] |= key(position) << width }
        }
        width += bits
    }

    /// The positions in their order.
    consuming func sorted() -> [Int32] {
        sort()
        return order
    }

    private mutating func sort() {
        if order.count <= Self.few { insert() } else { distribute() }
        keys.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        width = 0
    }

    /// So many positions are sorted sooner by comparing them.
    private static let few = 32

    private mutating func insert() {
        for end in order.indices.dropFirst() {
            let position = order[end]
            var place = end
            while place > 0, keys[Int(order[place - 1])] > keys[Int(position)] {
                order[place] = order[place - 1]
                place -= 1
            }
            order[place] = position
        }
    }

    private mutating func distribute() {
        // Digits that all keys have in common sort nothing.
        let differences = keys.reduce(0) { $0 | ($1 ^ keys[0]) }
        let digit = order.count < 4096 ? 8 : 11
        let mask = UInt64(1) << digit - 1
        var sorted = order
        var places = [Int32](repeating: 0, count: 1 << digit)
        for shift in stride(from: 0, to: width, by: digit) where (differences >> shift) & mask != 0 {
            places.withUnsafeMutableBufferPointer { places in
                places.update(repeating: 0)
                for key in keys { places[Int((key >> shift) & mask)] += 1 }
                var start: Int32 = 0
                for place in places.indices { (places[place], start) = (start, start + places[place]) }
                sorted.withUnsafeMutableBufferPointer { sorted in
                    for position in order {
                        let place = Int((keys[Int(position)] >> shift) & mask)
                        sorted[Int(places[place])] = position
                        places[place] += 1
                    }
                }
            }
            swap(&order, &sorted)
        }
    }
}
