/// The time of a log's line, in seconds since 1970 in UTC.
package struct LogTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let seconds: Double

    /// Makes a time. Times outside the years 1970 to 9999 are moved to the nearest time within them.
    package init(seconds: Double) {
        self.seconds = seconds.isFinite ? min(max(seconds, 0), 253_402_300_799) : 0
    }

    package static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }

    /// Makes a time from calendar fields (ISO 8601); nil if they are not valid.
    init?(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Double, offset: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...24).contains(hour),
            (0...59).contains(minute), (0..<61).contains(second)
        else { return nil }
        let clock = Double(hour * 3600 + minute * 60 - offset) + second
        self.init(seconds: Double(Self.days(year, month, day)) * 86400 + clock)
    }

    /// The days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that a leap day is the last day of a
    /// year.
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

/// Completes the times of a log: the year of syslog's times, and the zone of times without one.
package struct LogClock: Sendable {
    /// The time of reading.
    package let now: LogTime
    /// The seconds by which local time is ahead of UTC.
    package let offset: Int

    package init(now: LogTime, offset: Int) {
        self.now = now
        self.offset = offset
    }

    /// Reads a time in a person's form: a date, a date and a time, `today`, `yesterday`, or how long ago (`30m`, `2h`, `1d`).
    /// Returns nil for other text.
    package func moment(_ text: String) -> LogTime? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        if let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), count >= 0 {
            return LogTime(seconds: now.seconds - Double(count) * unit)
        }
        let midnight = ((now.seconds + Double(offset)) / 86400).rounded(.down) * 86400 - Double(offset)
        if text == "today" { return LogTime(seconds: midnight) }
        if text == "yesterday" { return LogTime(seconds: midnight - 86400) }
        for filled in [text, text + ":00", text + " 00:00:00"] {
            if let found = LogTimeParser.time(of: filled[...], self), found.length == filled.utf8.count { return found.time }
        }
        return nil
    }
}

/// Reads the time at the beginning of a line.
struct LogTimeParser {
    private let bytes: [UInt8]
    private var offset = 0
    private let clock: LogClock

    /// The time and its length in bytes, without the blank after it; nil if the line does not begin with a time.
    static func time(of line: Substring, _ clock: LogClock) -> (time: LogTime, length: Int)? {
        // A time begins with a digit, or with the first letter of a month.
        guard let first = line.utf8.first, (0x30...0x39).contains(first) || (0x41...0x53).contains(first) else { return nil }
        // The longest form has nanoseconds and a zone.
        var parser = Self(bytes: Array(line.utf8.prefix(40)), clock: clock)
        guard let time = parser.calendar() ?? parser.syslog() else { return nil }
        return (time, parser.offset)
    }

    private init(bytes: [UInt8], clock: LogClock) {
        self.bytes = bytes
        self.clock = clock
    }

    /// `2026-01-05T09:00:01.123Z`, `2026-01-05 09:00:01,123`, with or without a zone (RFC 3339, Python's logging).
    private mutating func calendar() -> LogTime? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2), take("T") || take(" "),
            let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2)
        else { return restart() }
        let fraction = take(".") || take(",") ? digits() : 0
        return LogTime(year, month, day, hour, minute, Double(second) + fraction, offset: zone() ?? clock.offset)
    }

    /// `Jan  5 09:00:01` (RFC 3164 section 4.1.2), taken to be within the last year.
    private mutating func syslog() -> LogTime? {
        guard let month = Self.months.firstIndex(where: { bytes.starts(with: $0.utf8) }) else { return nil }
        offset = 3
        guard take(" ") else { return restart() }
        guard let day = take(" ") ? number(1) : number(2), take(" "), let hour = number(2), take(":"), let minute = number(2),
            take(":"), let second = number(2)
        else { return restart() }
        let year = Int(clock.now.description.prefix(4)) ?? 1970
        func time(_ year: Int) -> LogTime? { LogTime(year, month + 1, day, hour, minute, Double(second), offset: clock.offset) }
        return time(year).flatMap { $0.seconds > clock.now.seconds + 86400 ? time(year - 1) : $0 }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private mutating func restart() -> LogTime? {
        offset = 0
        return nil
    }

    private mutating func take(_ character: Character) -> Bool {
        guard offset < bytes.count, bytes[offset] == character.asciiValue else { return false }
        offset += 1
        return true
    }

    private mutating func number(_ count: Int) -> Int? {
        guard offset + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[offset..<offset + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        offset += count
        return value
    }

    private mutating func digits() -> Double {
        var (value, place) = (0.0, 0.1)
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
            value += Double(bytes[offset] - 0x30) * place
            place /= 10
            offset += 1
        }
        return value
    }

    private mutating func zone() -> Int? {
        if take("Z") { return 0 }
        let start = offset
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = number(2) else {
            offset = start
            return nil
        }
        _ = take(":")
        return sign * (hours * 3600 + (number(2) ?? 0) * 60)
    }
}
