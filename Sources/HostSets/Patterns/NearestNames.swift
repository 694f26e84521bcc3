/// Known names that are most like one that is not known.
enum NearestNames {
    /// At most three, the nearest first; none if nothing is near.
    static func of(_ name: String, among known: some Sequence<String>) -> [String] {
        let wanted = Array(name.lowercased().utf8.prefix(64))
        let limit = max(1, min(3, wanted.count / 3))
        var found: [(distance: Int, name: String)] = []
        for candidate in known {
            let other = Array(candidate.lowercased().utf8.prefix(64))
            guard abs(other.count - wanted.count) <= limit else { continue }
            let worst = found.count == 3 ? found[2].distance - 1 : limit
            guard let distance = distance(wanted, other, atMost: worst) else { continue }
            if found.contains(where: { $0.name == candidate }) { continue }
            let place = found.firstIndex { $0.distance > distance } ?? found.count
            found.insert((distance, candidate), at: place)
            if found.count > 3 { found.removeLast() }
            if found.count == 3, found[2].distance <= 0 { break }
        }
        return found.map(\.name)
    }

    /// How many letters must be put in, left out, replaced or exchanged with their neighbour; nil if more than `limit`.
    private static func distance(_ one: [UInt8], _ other: [UInt8], atMost limit: Int) -> Int? {
        guard limit >= 0 else { return nil }
        var before: [Int] = []
        var previous = Array(0...other.count)
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                var best = min(previous[column + 1], current[column]) + 1
                best = min(best, previous[column] + (one[row] == other[column] ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, before[column - 1] + 1)
                }
                current.append(best)
            }
            if (current.min() ?? 0) > limit { return nil }
            (before, previous) = (previous, current)
        }
        let result = previous[other.count]
        return result <= limit ? result : nil
    }
}
