/// Whether more bytes in flight would arrive sooner, judged by how long those in flight take. No I/O.
struct TransferPace {
    typealias Instant = ContinuousClock.Instant

    /// How many may be in flight at once.
    private(set) var limit: Int
    private let largest: Int
    /// The least that any took: about a round trip.
    private var fastest: Duration?
    /// What has been moved since the last judgement, of what was begun after it.
    private var sample = (bytes: 0, parts: 0, time: Duration.zero)
    /// When it was judged last; before that, when the first part had been moved.
    private var judged: Instant?

    /// - Parameter largest: the limit of its growth.
    init(_ first: Int, upTo largest: Int) {
        limit = first
        self.largest = largest
    }

    /// A part has been moved.
    ///
    /// - Parameters:
    ///   - began: since when it was under way.
    ///   - isWanting: whether more would be under way if they might.
    /// - Returns: by how much the limit has grown.
    mutating func moved(_ count: Int, _ began: Instant, _ now: Instant, isWanting: Bool) -> Int {
        let time = began.duration(to: now)
        fastest = min(fastest ?? time, time)
        // What was under way before says nothing of the limit as it is, nor does what began with nothing before it.
        let since = judged ?? now
        judged = since
        if began < since { return 0 }
        sample = (sample.bytes + count, sample.parts + 1, sample.time + time)
        guard isWanting, sample.bytes >= limit, let fastest else { return 0 }
        let isQuick = sample.time / sample.parts * 3 < fastest * 4
        sample = (0, 0, .zero)
        judged = now
        guard isQuick, limit < largest else { return 0 }
        let growth = min(limit, largest - limit)
        limit += growth
        return growth
    }
}
