/// Reads the time at the beginning of a line.
struct LogTimeParser {
    private let bytes: [UInt8]
    private var offset = 0
    private let clock: LogClock

    /// The time and how many bytes it takes, the blank behind it not counted; nil where the line begins with none.
    static func time(of line: Substring, _ clock: LogClock) -> (time: LogTime, length: Int)? {
        // A digit, or a month's first letter.
        guard let first = line.utf8.first, (0x30...0x39).contains(first) || (0x41...0x53).contains(first) else { return nil }
        // The longest has nanoseconds and a zone.
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

    /// `Jan  5 09:00:01` (RFC 3164 section 4.1.2): of the year that ends now.
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
