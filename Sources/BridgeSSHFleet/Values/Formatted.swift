import Crypto
import ErrorCore

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

/// Makes text from a host safe to show on a terminal.
package enum VisibleText {
    /// A name within one of bridge-ssh's own lines.
    package static func name(_ name: String) -> String { TerminalText.inert(name, limit: 1024) }

    /// Folded names, without a length limit.
    package static func names(_ names: String) -> String { TerminalText.inert(names, limit: .max) }
}

/// Makes the name of a host's files. Different hosts get different names, and no name leads out of the directory.
package enum HostFileName {
    /// File systems allow 255 bytes; the suffix needs some of them.
    private static let maximumLength = 200

    /// The host's name, with characters that a file name should not contain escaped as `%2F`.
    package static func of(_ host: String) -> String {
        var name = ""
        for (index, byte) in host.utf8.enumerated() {
            let isPlain =
                byte > 0x20 && byte < 0x7F && !"/%\\\"'*?<>|".utf8.contains(byte) && !(index == 0 && "-.".utf8.contains(byte))
            name += isPlain ? String(UnicodeScalar(byte)) : "%" + [byte].hexadecimal.uppercased()
        }
        guard name.utf8.count > maximumLength else { return name.isEmpty ? "%" : name }
        let digest = Array(SHA256.hash(data: Array(host.utf8)).prefix(16)).hexadecimal
        return String(decoding: name.utf8.prefix(maximumLength - 34), as: UTF8.self) + "%%" + digest
    }
}
