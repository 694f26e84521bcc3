/// The numbers of one dimension of many names, as places in the list of different ones: small, and quickly compared.
struct NumberRanks {
    /// The different numbers, sorted.
    let numbers: [HostNumber]
    /// The place of each name's number.
    let ranks: [Int32]
    /// The place of each different number where they are sorted as text.
    let textRanks: [Int32]

    init(_ column: [HostNumber]) {
        var sorted = column.indices.map { (number: column[$0], name: Int32($0)) }
        if !column.isSorted { sorted.sort { $0.number < $1.number } }
        var numbers: [HostNumber] = []
        var ranks = [Int32](repeating: 0, count: column.count)
        for (number, name) in sorted {
            if numbers.last != number { numbers.append(number) }
            ranks[Int(name)] = Int32(numbers.count - 1)
        }
        self.numbers = numbers
        self.ranks = ranks
        let asText = numbers.indices.sorted { numbers[$0].precedesAsText(numbers[$1]) }
        var textRanks = [Int32](repeating: 0, count: numbers.count)
        for (place, index) in asText.enumerated() { textRanks[index] = Int32(place) }
        self.textRanks = textRanks
    }
}
