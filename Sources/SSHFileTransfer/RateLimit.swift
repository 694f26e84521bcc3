internal import Synchronization

/// Spreads bytes over time, over all files: each part waits until what was granted before it has had its time.
package final class RateLimit: Sendable {
    private let schedule: Mutex<RateSchedule>
    private let isLimited: Bool

    /// - Parameter bytesPerSecond: nil for no limit; at least 1.
    package init(bytesPerSecond: Int?) {
        isLimited = bytesPerSecond != nil
        schedule = Mutex(RateSchedule(bytesPerSecond: bytesPerSecond ?? Int.max))
    }

    /// The most bytes that are moved at once: with a low limit less than one request could, so that progress shows.
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
    /// When what was granted so far has had its time.
    private var free: ContinuousClock.Instant?

    init(bytesPerSecond: Int) { self.bytesPerSecond = max(1, bytesPerSecond) }

    /// - Returns: from when on the bytes may be moved. Time that was not used is lost.
    mutating func reserve(_ count: Int, now: ContinuousClock.Instant) -> ContinuousClock.Instant {
        let start = max(free ?? now, now)
        free = start + .seconds(Double(max(0, count)) / Double(bytesPerSecond))
        return start
    }
}
