/// How far the server may be ahead of us on one channel (RFC 4254 section 5.2). No I/O.
///
/// A window lets at most one window's worth pass in a round trip, so on a long and fast path the server waits for us most of the
/// time. That can be seen here, at this end of a channel, however many hosts are in between: all that an earlier adjustment
/// allowed has come and been read, nothing more comes, and then it goes on a round trip after the next adjustment had left. Where
/// such waits are more than an eighth of the time the window doubles. For a reader that is slow the server does not wait like that,
/// and where the reader had been away for longer than a round trip the wait was its doing. Nor does a server that has nothing to
/// send: what it was allowed it does not use up.
///
/// All numbers of bytes are counted from the beginning of the channel, over both streams.
package struct ReceiveWindow {
    typealias Instant = Moment

    /// Where it begins, and never less: libssh2 by itself opens a window of this size again.
    static let smallest = 2 << 20
    /// 1 Gbit/s at a quarter of a second, the other side of the earth. It bounds what may wait for a reader that has stopped,
    /// but for what libssh2 keeps of each packet besides its data, about 200 bytes.
    static let largest = 32 << 20
    /// Bytes a second that libssh2 deciphers on one core, measured: a window that carries more than that needs not grow.
    private static let fastest = 630e6
    /// The largest packet that we take. A server may keep to itself a rest of the window that is smaller than what it sends.
    static let packet = LibraryChannel.readLength

    private(set) var size: Int
    private let limits: Limits
    /// How many times it has grown.
    private(set) var growths = 0
    /// The adjustments whose bytes have not begun to come: when each left, where what was allowed before it ends, and whether the
    /// reader had been away before.
    private var grants: [(limit: Int, at: Instant, isLate: Bool)] = []
    /// No round trip takes longer than this.
    private var roundTrip: Duration
    /// When all that the first of `grants` found allowed had come and been read, if nothing has come since.
    private var waitBegan: Instant?
    /// Since when something has waited for the reader.
    private var readerAwaited: Instant?
    /// What is being judged: the time from one adjustment to the bytes that it allows, and how much of that the server waited.
    private var round: (end: Int, began: Instant, waited: Duration)?
    /// After growing, where what came under the smaller window ends, which says nothing of the larger one.
    private var outgrown: Int?

    /// - Parameter roundTrip: a time that a round trip does not exceed: what the server took to open the channel.
    init(roundTrip: Duration, _ limits: Limits = .standard) {
        self.roundTrip = roundTrip
        self.limits = limits
        size = limits.first
    }

    /// Whether the window is to be opened again, a quarter of it being used: some earlier than libssh2 would, so that it never does.
    ///
    /// - Parameter remaining: what the server is still allowed beyond what has been read.
    func isDue(_ remaining: Int) -> Bool { remaining < size / 4 * 3 + 2 * Self.packet }

    /// How much more is to be allowed now; nil for nothing.
    ///
    /// - Parameter unread: how much has come and waits for a reader. If that is most of a window that has grown, the reader has become
    ///   slow, and so much is not allowed again.
    mutating func adjustment(_ remaining: Int, unread: () -> Int) -> Int? {
        guard isDue(remaining) else { return nil }
        if size > limits.first {
            let unread = unread()
            while size > limits.first, unread > size / 2 { size /= 2 }
            guard isDue(remaining) else { return nil }
        }
        return size + Self.packet - remaining
    }

    /// More has been allowed.
    ///
    /// - Parameter limit: where what was allowed before ends.
    mutating func granted(behind limit: Int, at now: Instant) {
        grants.append((limit, now, false))
        if outgrown == nil, round == nil { round = (limit, now, .zero) }
        if outgrown == .max { outgrown = limit }
    }

    /// Whether there is nothing to learn from a read that finds all that has come.
    var isAtRest: Bool { grants.isEmpty && readerAwaited == nil }

    /// What there was has been read, as far as there was room.
    ///
    /// - Parameters:
    ///   - count: how much has been read so far.
    ///   - isDrained: whether nothing that has come is left.
    mutating func read(_ count: Int, isDrained: Bool, _ clock: () -> Instant = { .now }) {
        watchReader(isDrained, clock)
        guard let first = grants.first else { return }
        if count > first.limit { return went(on: count, at: clock()) }
        // The server waits only as long as it has not got what it waits for.
        if isDrained, waitBegan == nil, count + Self.packet > first.limit { waitBegan = clock() }
    }

    private mutating func watchReader(_ isDrained: Bool, _ clock: () -> Instant) {
        if !isDrained {
            readerAwaited = readerAwaited ?? clock()
        } else if let since = readerAwaited {
            readerAwaited = nil
            guard since.duration(to: clock()) > roundTrip else { return }
            for index in grants.indices { grants[index].isLate = true }
        }
    }

    /// Bytes have come that earlier adjustments did not allow.
    private mutating func went(on count: Int, at now: Instant) {
        while let grant = grants.first, count > grant.limit {
            grants.removeFirst()
            let answer = grant.at.duration(to: now)
            // What comes much later than a round trip after the adjustment did not wait for it.
            if let began = waitBegan, !grant.isLate, answer <= roundTrip * 2 {
                let end = grant.at.advanced(by: min(answer, roundTrip))
                round?.waited += max(.zero, began.duration(to: end))
            }
            waitBegan = nil
            roundTrip = min(roundTrip, answer)
            if let round, grant.limit >= round.end { judge(round, at: now) }
            if let limit = outgrown, grant.limit >= limit { outgrown = nil }
        }
    }

    private mutating func judge(_ round: (end: Int, began: Instant, waited: Duration), at now: Instant) {
        self.round = nil
        guard round.waited * 8 > round.began.duration(to: now), size < limits.largest else { return }
        guard Double(size) < roundTrip / .seconds(1) * Self.fastest else { return }
        size *= 2
        growths += 1
        outgrown = .max
    }
}

extension ReceiveWindow {
    /// How large the windows of a session's channels are.
    package struct Limits: Sendable, Hashable {
        /// Where a window begins.
        package let first: Int
        /// Where it ends to grow.
        package let largest: Int

        package static let standard = Limits(first: ReceiveWindow.smallest, largest: ReceiveWindow.largest)

        /// Windows of one size.
        package static func fixed(_ size: Int) -> Limits { Limits(first: size, largest: size) }
    }
}
