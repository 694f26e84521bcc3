/// Sorts positions by integer keys, from the least significant bits up.
struct RadixSort {
    private var order: [Int32]
    /// The bits that each position is sorted by next; `width` is their number.
    private var keys: [UInt64]
    private var width = 0

    init(count: Int) {
        order = Array(0..<Int32(count))
        keys = [UInt64](repeating: 0, count: count)
    }

    /// Sorts by the key of each position. It is more significant than all earlier keys, which decide between equal ones.
    mutating func add(bits: Int, _ key: (_ position: Int) -> UInt64) {
        if width + bits > UInt64.bitWidth { sort() }
        keys.withUnsafeMutableBufferPointer { keys in
            for position in keys.indices { keys[position] |= key(position) << width }
        }
        width += bits
    }

    /// The positions in sorted order.
    consuming func sorted() -> [Int32] {
        sort()
        return order
    }

    private mutating func sort() {
        if order.count <= Self.smallCount { insert() } else { distribute() }
        keys.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        width = 0
    }

    /// Up to this many positions, comparing is faster.
    private static let smallCount = 32

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
        // Skip digits that all keys share.
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

/// The numbers of one dimension of many names, as ranks among the distinct numbers: ranks are small and quick to compare.
struct NumberRanks {
    /// The distinct numbers, sorted.
    let numbers: [HostNumber]
    /// The rank of each name's number.
    let ranks: [Int32]
    /// The rank of each distinct number in text order.
    let textRanks: [Int32]
    /// How many bits a rank, or a count of ranks, needs.
    var bits: Int { Int.bitWidth - numbers.count.leadingZeroBitCount }

    init(_ column: [HostNumber]) {
        let isShort = column.allSatisfy { $0.width <= Self.shortWidth }
        var numbers: [HostNumber] = []
        var ranks = [Int32](repeating: 0, count: column.count)
        for name in Self.order(of: column, isShort: isShort) {
            let number = column[Int(name)]
            if numbers.last != number { numbers.append(number) }
            ranks[Int(name)] = Int32(numbers.count - 1)
        }
        self.numbers = numbers
        self.ranks = ranks
        var textRanks = [Int32](repeating: 0, count: numbers.count)
        for (place, index) in Self.textOrder(of: numbers, isShort: isShort).enumerated() { textRanks[Int(index)] = Int32(place) }
        self.textRanks = textRanks
    }

    /// Numbers with up to this many digits fit into 64 bits.
    private static let shortWidth = 19

    private static func order(of column: [HostNumber], isShort: Bool) -> [Int32] {
        if column.isSorted { return Array(0..<Int32(column.count)) }
        guard isShort else { return (0..<Int32(column.count)).sorted { column[Int($0)] < column[Int($1)] } }
        var sort = RadixSort(count: column.count)
        sort.add(bits: UInt64.bitWidth) { UInt64(truncatingIfNeeded: column[$0].value) }
        sort.add(bits: 5) { UInt64(column[$0].width) }
        return sort.sorted()
    }

    /// - Parameter numbers: Shorter numbers first. If two are equal after padding with zeros on the right, the shorter one
    ///   comes first as text.
    private static func textOrder(of numbers: [HostNumber], isShort: Bool) -> [Int32] {
        // Numbers of equal length are already in text order.
        if numbers.first?.width == numbers.last?.width { return Array(0..<Int32(numbers.count)) }
        guard isShort else {
            return (0..<Int32(numbers.count)).sorted { numbers[Int($0)].precedesAsText(numbers[Int($1)]) }
        }
        var sort = RadixSort(count: numbers.count)
        sort.add(bits: UInt64.bitWidth) {
            UInt64(truncatingIfNeeded: numbers[$0].value * HostNumber.powers[shortWidth - numbers[$0].width])
        }
        return sort.sorted()
    }
}
