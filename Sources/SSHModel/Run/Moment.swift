#if canImport(Musl)
    internal import Musl
#elseif canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An instant of the clock that `ContinuousClock` reads, which goes on while the machine sleeps.
///
/// `ContinuousClock.Instant` has a size that only the runtime knows: to note one, and to take two from each other, costs ten times as
/// much. A command does so some thirty times.
package struct Moment: InstantProtocol {
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    #if os(Linux)
        private static let clock = CLOCK_BOOTTIME
    #else
        private static let clock = CLOCK_MONOTONIC_RAW
    #endif

    package static var now: Moment {
        var time = timespec()
        clock_gettime(clock, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package func advanced(by duration: Duration) -> Moment {
        let (seconds, attoseconds) = duration.components
        return Moment(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    package func duration(to other: Moment) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

    /// The time to another moment, in seconds.
    package func seconds(to other: Moment) -> Double { Double(other.nanoseconds - nanoseconds) / 1e9 }

    package static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }
}
