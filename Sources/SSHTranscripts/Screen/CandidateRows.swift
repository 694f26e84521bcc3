/// The rows that could read a line, as bits.
struct CandidateRows: Sendable {
    private var words: [UInt64]
    private var isEmpty = true

    init(rows: Int) { words = Array(repeating: 0, count: (rows + 63) / 64) }

    mutating func insert(_ row: Int) {
        words[row >> 6] |= 1 << UInt64(row & 63)
        isEmpty = false
    }

    mutating func removeAll() {
        guard !isEmpty else { return }
        for index in words.indices { words[index] = 0 }
        isEmpty = true
    }

    /// Whether there is none.
    var isNone: Bool { isEmpty }

    /// The first of them from a row on.
    func next(from row: Int) -> Int? {
        guard !isEmpty, row >> 6 < words.count else { return nil }
        var index = row >> 6
        var rest = words[index] & (~0 << UInt64(row & 63))
        while rest == 0 {
            index += 1
            guard index < words.count else { return nil }
            rest = words[index]
        }
        return index << 6 + rest.trailingZeroBitCount
    }
}
