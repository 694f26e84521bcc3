/// The search for the least number of the server's bytes after which we answer.
enum FirstCut {
    /// How often the byte before what was found is tried: an end that overtakes our answer hides it, but not every time.
    private static let doubts = 6

    /// - Parameter answers: whether a connection that is cut after so many bytes is answered to. Beyond the place that is sought
    ///   it may say no where it should say yes, never the other way round.
    static func find(in range: ClosedRange<Int>, answers: (Int) async throws -> Bool) async throws -> Int {
        var found = try await search(range, answers)
        while found > range.lowerBound, try await ever(doubts, found - 1, answers) {
            found = try await search(range.lowerBound...found - 1, answers)
        }
        return found
    }

    private static func search(_ range: ClosedRange<Int>, _ answers: (Int) async throws -> Bool) async throws -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if try await ever(2, middle, answers) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Whether one of `count` runs is answered.
    private static func ever(_ count: Int, _ offset: Int, _ answers: (Int) async throws -> Bool) async throws -> Bool {
        for _ in 0..<count where try await answers(offset) { return true }
        return false
    }
}
