/// Measures how much two names differ: the number of bytes to insert, delete, replace, or exchange with the next (optimal string
/// alignment).
package enum EditDistance {
    package static func between(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return between(one, other, atMost: max(one.count, other.count)) ?? 0
    }

    /// - Returns: nil if the distance exceeds `limit`.
    package static func between(_ one: [UInt8], _ other: [UInt8], atMost limit: Int) -> Int? {
        guard limit >= 0 else { return nil }
        var above: [Int] = []
        var row = Array(0...other.count)
        for index in one.indices {
            var next = [index + 1]
            for column in other.indices {
                var least = min(row[column] + (one[index] == other[column] ? 0 : 1), row[column + 1] + 1, next[column] + 1)
                if index > 0, column > 0, one[index] == other[column - 1], one[index - 1] == other[column] {
                    least = min(least, above[column - 1] + 1)
                }
                next.append(least)
            }
            if (next.min() ?? 0) > limit { return nil }
            (above, row) = (row, next)
        }
        return row[other.count] <= limit ? row[other.count] : nil
    }
}
