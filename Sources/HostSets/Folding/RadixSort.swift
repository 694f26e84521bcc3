/// Positions sorted by keys that are numbers, a byte of the keys after another, without comparing any two.
struct RadixSort {
    /// The positions in their order so far.
    private(set) var order: [Int32]

    init(count: Int) { order = Array(0..<Int32(count)) }

    /// Sorts by the key of each position. Those with the same key stay in the order that they have.
    mutating func sort(by keys: [UInt64]) {
        guard let first = keys.first else { return }
        // A byte that all keys have in common sorts nothing.
        let differences = keys.reduce(0) { $0 | ($1 ^ first) }
        var sorted = order
        for shift in stride(from: UInt64(0), to: 64, by: 8) where (differences >> shift) & 0xFF != 0 {
            var places = [Int](repeating: 0, count: 257)
            for key in keys { places[Int((key >> shift) & 0xFF) + 1] += 1 }
            for byte in 1...256 { places[byte] += places[byte - 1] }
            for position in order {
                let byte = Int((keys[Int(position)] >> shift) & 0xFF)
                sorted[places[byte]] = position
                places[byte] += 1
            }
            swap(&order, &sorted)
        }
    }
}
