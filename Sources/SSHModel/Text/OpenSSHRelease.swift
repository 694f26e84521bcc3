/// A release of OpenSSH.
package struct OpenSSHRelease: Sendable, Comparable {
    package let major: Int
    package let minor: Int

    package init(_ major: Int, _ minor: Int) { (self.major, self.minor) = (major, minor) }

    /// The first release that a text names: `OpenSSH_9.2p1 Debian-2`, `SSH-2.0-OpenSSH_for_Windows_9.5`. Nil if it names none.
    package init?(in text: String) {
        guard let name = text.firstPlace(of: "OpenSSH_") else { return nil }
        let version = text[name.upperBound...].trimmingPrefix("for_Windows_")
        let numbers = version.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { Int($0) }
        guard case let major?? = numbers.first else { return nil }
        self.init(major, (numbers.dropFirst().first ?? 0) ?? 0)
    }

    package static func < (one: Self, other: Self) -> Bool { (one.major, one.minor) < (other.major, other.minor) }
}
