/// A moment that a line of a log names, in seconds since 1970 in UTC.
package struct LogTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let seconds: Double

    /// A moment of the years from 1970 to 9999; any other becomes the nearest of these.
    package init(seconds: Double) {
        self.seconds = seconds.isFinite ? min(max(seconds, 0), 253_402_300_799) : 0
    }

    package static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }

    /// A moment of the calendar; nil where there is none (ISO 8601).
    init?(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Double, offset: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...24).contains(hour),
            (0...59).contains(minute), (0..<61).contains(second)
        else { return nil }
        let clock = Double(hour * 3600 + minute * 60 - offset) + second
        self.init(seconds: Double(Self.days(year, month, day)) * 86400 + clock)
    }

    /// Days since 1970-01-01 of the Gregorian calendar; years begin in March, so that a leap day ends one.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let shifted = (month + 9) % 12
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * shifted + 2) / 5 + day - 1 - 719_468
    }

    /// `2026-01-05T09:00:01Z`.
    package var description: String {
        let whole = Int(seconds.rounded(.down))
        let (day, clock) = (whole.flooring(by: 86400), whole - whole.flooring(by: 86400) * 86400)
        let (year, month, date) = Self.date(day)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(date))T\(two(clock / 3600)):\(two(clock / 60 % 60)):\(two(clock % 60))Z"
    }

    private static func date(_ days: Int) -> (Int, Int, Int) {
        var year = 1970 + days.flooring(by: 366)
        while Self.days(year + 1, 1, 1) <= days { year += 1 }
        var month = 1
        while month < 12, Self.days(year, month + 1, 1) <= days { month += 1 }
        return (year, month, days - Self.days(year, month, 1) + 1)
    }
}

extension Int {
    fileprivate func flooring(by divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
}
