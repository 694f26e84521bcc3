/// Names that somebody may have meant.
enum NearNames {
    /// The three nearest, best first: those that hold the last word of what was typed, or are a few letters away.
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

    /// Levenshtein's: how many letters have to be put in, taken out or replaced.
    static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, character) in one.enumerated() {
            var previous = row[0]
            row[0] = index + 1
            for column in 0..<other.count {
                let replaced = previous + (character == other[column] ? 0 : 1)
                previous = row[column + 1]
                row[column + 1] = min(replaced, previous + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
