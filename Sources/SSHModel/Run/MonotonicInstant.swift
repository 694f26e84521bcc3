#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// An instant of the clock behind `ContinuousClock`, which keeps counting while the machine sleeps.
///
/// The size of `ContinuousClock.Instant` is known only at run time. Taking an instant and subtracting two costs ten times as
/// much with it, and a command does that about thirty times.
package struct MonotonicInstant: InstantProtocol {
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    #if os(Linux)
        private static let clock = CLOCK_BOOTTIME
    #else
        private static let clock = CLOCK_MONOTONIC_RAW
    #endif

    package static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(clock, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package func advanced(by duration: Duration) -> MonotonicInstant {
        let (seconds, attoseconds) = duration.components
        return MonotonicInstant(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    package func duration(to other: MonotonicInstant) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }

    /// The time to another instant, in seconds.
    package func seconds(to other: MonotonicInstant) -> Double { Double(other.nanoseconds - nanoseconds) / 1e9 }

    package static func < (one: MonotonicInstant, other: MonotonicInstant) -> Bool { one.nanoseconds < other.nanoseconds }
}

extension Duration {
    /// The duration in seconds, for numbers that people read.
    package var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The duration in seconds, limited to what every clock and timer accepts: from 0 to ``maximumSeconds``.
    package var boundedSeconds: Double { min(max(0, seconds), Self.maximumSeconds) }

    /// A duration of any number of seconds, limited to the same bounds.
    package static func bounded(seconds: Double) -> Duration {
        seconds.isNaN ? .zero : .seconds(min(max(0, seconds), maximumSeconds))
    }

    /// The duration, limited to the same bounds.
    package var bounded: Duration { min(max(.zero, self), .seconds(Int64(Self.maximumSeconds))) }

    /// 136 years. That is more than ssh's configuration can express, and its nanoseconds fit in 64 bits.
    package static let maximumSeconds = Double(UInt32.max)
}
