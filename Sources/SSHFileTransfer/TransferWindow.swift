/// Which parts of a file are to be moved next, when parts end in any order. No I/O.
struct TransferWindow {
    /// From the first byte to be moved to behind the last.
    let whole: Range<UInt64>
    /// The most that one request moves.
    let part: Int
    /// How far parts may be ahead of the first that is missing; one part always is under way.
    ///
    /// So what a copy that broke off has left holds everything but its last `limit` bytes: see ``PartialName``.
    var limit: Int

    private var position: UInt64
    /// Parts that came back short: the rest of each.
    private var again: [Range<UInt64>] = []
    private var underWay: [UInt64: UInt64] = [:]

    init(_ whole: Range<UInt64>, part: Int, limit: Int) {
        self.whole = whole
        self.part = max(1, part)
        self.limit = limit
        position = whole.lowerBound
    }

    /// The next part; nil if enough is in flight, or nothing is left.
    mutating func next() -> Range<UInt64>? {
        let range: Range<UInt64>
        if let rest = again.popLast() {
            range = rest
        } else {
            guard position < whole.upperBound else { return nil }
            let end = min(whole.upperBound, position + UInt64(part))
            guard underWay.isEmpty || end - contiguous <= UInt64(max(0, limit)) else { return nil }
            range = position..<end
            position = end
        }
        underWay[range.lowerBound] = range.upperBound
        return range
    }

    /// A part has been moved, or the beginning of it.
    ///
    /// - Parameter count: 1 to the length of the range.
    mutating func finished(_ range: Range<UInt64>, count: Int) {
        guard underWay.removeValue(forKey: range.lowerBound) != nil else { return }
        if count < range.count { again.append(range.lowerBound + UInt64(max(0, count))..<range.upperBound) }
    }

    var isComplete: Bool { position == whole.upperBound && again.isEmpty && underWay.isEmpty }

    /// Up to where everything has been moved: what a later copy can build on.
    var contiguous: UInt64 {
        min(position, underWay.keys.min() ?? position, again.map(\.lowerBound).min() ?? position)
    }
}
