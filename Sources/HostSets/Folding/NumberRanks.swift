/// The numbers of one dimension of many names, as places in the list of different ones: small, and quickly compared.
struct NumberRanks {
    /// The different numbers, sorted.
    let numbers: [HostNumber]
    /// The place of each name's number.
    let ranks: [Int32]
    /// The place of each different number where they are sorted as text.
    let textRanks: [Int32]
    /// How many bits a place has, and a number of places.
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

    /// Numbers of so many digits fit in 64 bits.
    private static let shortWidth = 19

    private static func order(of column: [HostNumber], isShort: Bool) -> [Int32] {
        if column.isSorted { return Array(0..<Int32(column.count)) }
        guard isShort else { return (0..<Int32(column.count)).sorted { column[Int($0)] < column[Int($1)] } }
        var sort = RadixSort(count: column.count)
        sort.add(bits: UInt64.bitWidth) { UInt64(truncatingIfNeeded: column[$0].value) }
        sort.add(bits: 5) { UInt64(column[$0].width) }
        return sort.sorted()
    }

    /// - Parameter numbers: Shorter ones first. Of two that are the same with zeros behind them the shorter one comes first as text.
    private static func textOrder(of numbers: [HostNumber], isShort: Bool) -> [Int32] {
        // Numbers of one length stand in that order already.
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
