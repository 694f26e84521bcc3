#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Names of runs, such as `20261123-021032-123k7f`: the time of the beginning in UTC, milliseconds, and three random characters.
/// They sort by time.
package enum RunName {
    private static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz")

    package static func make(at milliseconds: Int64) -> String {
        FleetTimestamp.name(milliseconds) + String((0..<3).map { _ in alphabet.randomElement() ?? "0" })
    }

    /// When the run began, in milliseconds since 1970; nil for what is no run's name.
    package static func time(of name: String) -> Int64? {
        let bytes = Array(name.utf8)
        guard bytes.count == 22, bytes[8] == UInt8(ascii: "-"), bytes[15] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0) { sum, byte in
                guard let sum, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                return sum * 10 + Int(byte - UInt8(ascii: "0"))
            }
        }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15), let thousandths = number(16..<19),
            bytes[19...].allSatisfy({ alphabet.contains(Character(UnicodeScalar($0))) })
        else { return nil }
        var fields = tm()
        fields.tm_year = Int32(year) - 1900
        fields.tm_mon = Int32(month) - 1
        fields.tm_mday = Int32(day)
        fields.tm_hour = Int32(hour)
        fields.tm_min = Int32(minute)
        fields.tm_sec = Int32(second)
        return Int64(timegm(&fields)) * 1000 + Int64(thousandths)
    }
}
