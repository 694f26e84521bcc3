/// Names similar to one that was mistyped.
enum NearNames {
    /// The three nearest, best first: those that contain the last word of the input, or differ by a few letters.
    static func of(_ typed: String, among names: [String]) -> [String] {
        let word = String(typed.lowercased().split(separator: ".").last ?? "")
        let near = names.map { name in
            let last = String(name.split(separator: ".").last ?? "")
            let holds = word.count >= 3 && name.contains(word)
            return (name: name, distance: min(distance(typed.lowercased(), name), distance(word, last)), holds: holds)
        }.filter { $0.holds || $0.distance <= max(2, word.count / 4) }
        let sorted = near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return sorted.prefix(3).map(\.name)
    }

    /// How many letters have to be inserted, deleted, replaced, or exchanged with the next (optimal string alignment).
    static func distance(_ one: String, _ other: String) -> Int {
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
