internal import Synchronization

/// Limits the rate over all files: each part waits until the time of all earlier parts has passed.
package final class RateLimit: Sendable {
    private let schedule: Mutex<RateSchedule>
    private let isLimited: Bool

    /// - Parameter bytesPerSecond: nil for no limit; at least 1.
    package init(bytesPerSecond: Int?) {
        isLimited = bytesPerSecond != nil
        schedule = Mutex(RateSchedule(bytesPerSecond: bytesPerSecond ?? Int.max))
    }

    /// The most bytes that are moved at once: with a low limit less than a full request, so that progress is visible.
    func part(_ most: Int) -> Int {
        guard isLimited else { return most }
        return min(most, max(1024, schedule.withLock { $0.bytesPerSecond } / 4))
    }

    /// Waits until as many bytes may be moved.
    ///
    /// - Throws: `CancellationError`.
    func wait(for count: Int) async throws {
        guard isLimited else { return }
        let start = schedule.withLock { $0.reserve(count, now: .now) }
        if start > .now { try await Task.sleep(until: start, clock: .continuous) }
    }
}

/// When bytes may be moved. No I/O.
struct RateSchedule {
    let bytesPerSecond: Int
    /// When the time of all granted bytes has passed.
    private var free: ContinuousClock.Instant?

    init(bytesPerSecond: Int) { self.bytesPerSecond = max(1, bytesPerSecond) }

    /// - Returns: the time from which the bytes may be moved. Unused time is lost.
    mutating func reserve(_ count: Int, now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let start = max(free ?? now, now)
        free = start + .seconds(Double(max(0, count)) / Double(bytesPerSecond))
        return start
    }
}

/// Decides whether more bytes in flight would raise the rate, from the times that parts take. No I/O.
struct TransferPace {
    typealias Instant = ContinuousClock.Instant

    /// The bytes that may be in flight at once.
    private(set) var limit: Int
    private let largest: Int
    /// The shortest time of any part: about a round trip.
    private var fastest: Duration?
    /// The bytes of parts that both began and ended since the last decision.
    private var sample = (bytes: 0, parts: 0, time: Duration.zero)
    /// The time of the last decision; before that, when the first part had been moved.
    private var judged: Instant?

    /// - Parameter largest: the limit of its growth.
    init(_ first: Int, upTo largest: Int) {
        limit = first
        self.largest = largest
    }

    /// A part has been moved.
    ///
    /// - Parameters:
    ///   - began: when the part was started.
    ///   - isWanting: whether more bytes wait for the limit.
    /// - Returns: the growth of the limit, in bytes.
    mutating func noteMoved(_ count: Int, _ began: Instant, _ now: Instant, isWanting: Bool) -> Int {
        let time = began.duration(to: now)
        fastest = min(fastest ?? time, time)
        // Parts from before the last decision do not show the effect of the present limit, nor do parts that began with none in
        // flight.
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
