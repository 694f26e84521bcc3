/// Formats quantities for people.
package enum Formatted {
    /// `512 bytes`, `1.0 MiB`.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1024 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        var (value, unit) = (Double(count) / 1024, 0)
        let units = ["KiB", "MiB", "GiB", "TiB"]
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return tenths(value) + " " + units[unit]
    }

    /// `0.4 s`, `42 s`, `3 min 12 s`, `2 h 5 min`.
    package static func time(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0 s" }
        if seconds < 9.95 { return tenths(seconds) + " s" }
        let whole = Int(min(seconds.rounded(), 1e9))
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3600) h \(whole / 60 % 60) min"
    }

    /// `41/s`, `0.4/s`.
    package static func rate(_ perSecond: Double) -> String {
        (perSecond < 9.95 ? tenths(perSecond) : "\(Int(perSecond.rounded()))") + "/s"
    }

    package static func hosts(_ count: Int) -> String { count == 1 ? "1 host" : "\(count) hosts" }

    package static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension [UInt8] {
    /// The bytes in hexadecimal, two digits each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
