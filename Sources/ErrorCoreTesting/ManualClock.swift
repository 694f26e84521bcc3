import Synchronization

/// A clock that moves only when a test moves it, so that waits take no real time.
/// ```swift
/// let clock = ManualClock()
/// async let result = withRetry(.default, clock: clock) { … }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(1))
/// ```
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        var offset: Duration
        /// The time after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The duration to another time.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left time is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var id: Int
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var sleeps: [Duration] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    private let skips: Bool

    /// A clock at its start.
    ///
    /// - Parameter skipping: Whether a sleep advances the clock itself and returns at once.
    public init(skipping: Bool = false) {
        skips = skipping
    }

    /// The present time of the clock.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero.
    public var minimumResolution: Duration { .zero }
    /// Every requested sleep, in order.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Waits until the clock reaches a time.
    ///
    /// - Throws: `CancellationError`, at once, when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            if skips { state.now = max(state.now, deadline) }
            state.nextID += 1
            return state.nextID
        }
        if skips { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enroll(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Advances the clock, and wakes the sleepers whose time has come.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let woken = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return woken
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep on the clock.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let enough = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if enough { continuation.resume() }
        }
    }

    private func enroll(_ sleeper: Sleeper) {
        enum Outcome { case asleep([CheckedContinuation<Void, Never>]), awake, cancelled }
        let outcome: Outcome = state.withLock { state in
            if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
            if sleeper.deadline <= state.now { return .awake }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let satisfied = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return .asleep(satisfied)
        }
        switch outcome {
        case .asleep(let watchers): for watcher in watchers { watcher.resume() }
        case .awake: sleeper.continuation.resume()
        case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
        }
    }

    private func cancel(_ id: Int) {
        let sleeper: Sleeper? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
