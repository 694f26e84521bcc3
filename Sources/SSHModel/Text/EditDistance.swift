/// Measures how much two names differ.
package enum EditDistance {
    /// The number of letters to insert, delete, replace, or exchange with the next (optimal string alignment).
    package static func between(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one), Array(other))
        var above = [Int](repeating: 0, count: other.count + 1)
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
            (above, row) = (row, next)
        }
        return row[other.count]
    }
}
