/// The receive window of one channel (RFC 4254 section 5.2). No I/O.
///
/// At most one window of data passes in a round trip, so on a long and fast path the server waits for this client most of the
/// time. This end of a channel can see that, however many hosts are in between: all data that an earlier adjustment allowed has
/// come and been read, nothing more comes, and data continues one round trip after the next adjustment was sent. If such waits
/// take more than an eighth of the time, the window doubles. Two other waits do not count. With a slow reader, the reader
/// causes the wait if it was away for longer than a round trip. A server that has nothing to send does not use up its window.
///
/// All byte counts start at the beginning of the channel, over both streams.
package struct ReceiveWindow {
    typealias Instant = MonotonicInstant

    /// The initial size and the minimum: libssh2 itself reopens windows to this size.
    static let smallest = 2 << 20
    /// Enough for 1 Gbit/s at a round trip of a quarter of a second, to the other side of the earth. It bounds the data that
    /// waits for a stopped reader, apart from the 200 bytes or so that libssh2 keeps for each packet.
    static let largest = 32 << 20
    /// Bytes per second that libssh2 decrypts on one core, measured. A window that carries more need not grow.
    private static let fastest = 630e6
    /// The largest accepted packet. A server may leave a rest of the window unused if it is smaller than its next packet.
    static let packet = LibraryChannel.readLength

    private(set) var size: Int
    private let limits: Limits
    /// The number of times that it has grown.
    private(set) var growths = 0
    /// The adjustments whose bytes have not begun to come: the end of the earlier allowance, when the adjustment was sent, and
    /// whether the reader had been away.
    private var grants: [(limit: Int, at: Instant, isLate: Bool)] = []
    /// An upper bound of the round trip.
    private var roundTrip: Duration
    /// When all data allowed before the first of `grants` had come and been read, if nothing has come since.
    private var waitBegan: Instant?
    /// Since when data has waited for the reader.
    private var readerAwaited: Instant?
    /// The round being measured: from one adjustment to the bytes that it allows, and how long the server waited in it.
    private var round: (end: Int, began: Instant, waited: Duration)?
    /// After growth, the end of the data that was sent under the smaller window. That data does not count for the larger one.
    private var outgrown: Int?

    /// - Parameter roundTrip: an upper bound of the round trip: the time that the server took to open the channel.
    init(roundTrip: Duration, _ limits: Limits = .standard) {
        self.roundTrip = roundTrip
        self.limits = limits
        size = limits.first
    }

    /// Whether to send an adjustment: a quarter of the window is used. This is earlier than libssh2 would, so that libssh2
    /// never does.
    ///
    /// - Parameter remaining: the bytes that the server may still send, beyond those that were read.
    func isDue(_ remaining: Int) -> Bool { remaining < size / 4 * 3 + 2 * Self.packet }

    /// The size of the adjustment to send now; nil for none.
    ///
    /// - Parameter unread: the bytes that wait for a reader. If they fill most of a window that has grown, the reader has
    /// become slow, and
    ///   the window shrinks.
    mutating func adjustment(_ remaining: Int, unread: () -> Int) -> Int? {
        guard isDue(remaining) else { return nil }
        if size > limits.first {
            let unread = unread()
            while size > limits.first, unread > size / 2 { size /= 2 }
            guard isDue(remaining) else { return nil }
        }
        return size + Self.packet - remaining
    }

    /// An adjustment was sent.
    ///
    /// - Parameter limit: the end of the earlier allowance.
    mutating func granted(behind limit: Int, at now: Instant) {
        grants.append((limit, now, false))
        if outgrown == nil, round == nil { round = (limit, now, .zero) }
        if outgrown == .max { outgrown = limit }
    }

    /// Whether a read that finds all data gives no information about the window.
    var isAtRest: Bool { grants.isEmpty && readerAwaited == nil }

    /// The arrived data has been read, up to the read-ahead limit.
    ///
    /// - Parameters:
    ///   - count: the bytes read so far.
    ///   - isDrained: whether all arrived data has been read.
    mutating func read(_ count: Int, isDrained: Bool, _ clock: () -> Instant = { .now }) {
        watchReader(isDrained, clock)
        guard let first = grants.first else { return }
        if count > first.limit { return readNewData(count, at: clock()) }
        // The server stops waiting when it receives the adjustment.
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

    /// Data has come that only the newest adjustments allowed.
    private mutating func readNewData(_ count: Int, at now: Instant) {
        while let grant = grants.first, count > grant.limit {
            grants.removeFirst()
            let answer = grant.at.duration(to: now)
            // Data that comes much later than a round trip after the adjustment did not wait for it.
            if let began = waitBegan, !grant.isLate, answer <= roundTrip * 2 {
                let end = grant.at.advanced(by: min(answer, roundTrip))
                round?.waited += max(.zero, began.duration(to: end))
            }
            waitBegan = nil
            roundTrip = min(roundTrip, answer)
            if let round, grant.limit >= round.end { adjustSize(round, at: now) }
            if let limit = outgrown, grant.limit >= limit { outgrown = nil }
        }
    }

    private mutating func adjustSize(_ round: (end: Int, began: Instant, waited: Duration), at now: Instant) {
        self.round = nil
        guard round.waited * 8 > round.began.duration(to: now), size < limits.largest else { return }
        guard Double(size) < roundTrip / .seconds(1) * Self.fastest else { return }
        size *= 2
        growths += 1
        outgrown = .max
    }
}

extension ReceiveWindow {
    /// The sizes of the windows of a session's channels.
    package struct Limits: Sendable, Hashable {
        /// The initial size of a window, in bytes.
        package let first: Int
        /// The largest size that a window grows to, in bytes.
        package let largest: Int

        package static let standard = Limits(first: ReceiveWindow.smallest, largest: ReceiveWindow.largest)

        /// Windows that neither grow nor shrink.
        package static func fixed(_ size: Int) -> Limits { Limits(first: size, largest: size) }
    }
}
