#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Times in the format of RFC 3339, in UTC with milliseconds.
package enum FleetTimestamp {
    /// Milliseconds since 1970.
    package static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// `2026-11-23T02:10:32.123Z`.
    package static func text(_ milliseconds: Int64) -> String {
        let parts = Parts(milliseconds)
        return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))T"
            + "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2)).\(digits(parts.millisecond, 3))Z"
    }

    /// `20261123-021032-123`, which sorts by time.
    package static func name(_ milliseconds: Int64) -> String {
        let parts = Parts(milliseconds)
        return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "-" + digits(parts.hour, 2)
            + digits(parts.minute, 2) + digits(parts.second, 2) + "-" + digits(parts.millisecond, 3)
    }

    /// `2026-11-23 03:10:32`, in this machine's time zone.
    package static func local(_ milliseconds: Int64) -> String {
        let parts = Parts(milliseconds, isLocal: true)
        return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2)) "
            + "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2))"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    private struct Parts {
        let year: Int
        let month: Int
        let day: Int
        let hour: Int
        let minute: Int
        let second: Int
        let millisecond: Int

        /// The years 0 to 9999, which have four digits.
        private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

        init(_ milliseconds: Int64, isLocal: Bool = false) {
            let milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
            // Before 1970, too, the milliseconds count up from the start of the second.
            millisecond = Int(((milliseconds % 1000) + 1000) % 1000)
            var seconds = time_t((milliseconds - Int64(millisecond)) / 1000)
            var fields = tm()
            if isLocal { localtime_r(&seconds, &fields) } else { gmtime_r(&seconds, &fields) }
            year = Int(fields.tm_year) + 1900
            month = Int(fields.tm_mon) + 1
            day = Int(fields.tm_mday)
            hour = Int(fields.tm_hour)
            minute = Int(fields.tm_min)
            second = Int(fields.tm_sec)
        }
    }
}
