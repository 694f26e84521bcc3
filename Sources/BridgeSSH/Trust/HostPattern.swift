/// One pattern of a known_hosts line: `*` for any run of characters, `?` for any one, `!` in front for "but not".
struct HostPattern: Sendable, Hashable {
    let isNegated: Bool
    let bytes: [UInt8]

    init(_ text: ArraySlice<UInt8>) {
        isNegated = text.first == UInt8(ascii: "!")
        bytes = text.dropFirst(isNegated ? 1 : 0).map(\.lowercasedASCII)
    }

    /// Whether the wildcards fit, negation aside.
    ///
    /// Only the last `*` is ever tried again, so no pattern is slow.
    func fits(_ name: KnownHostName) -> Bool {
        let text = name.bytes
        var (t, p) = (0, 0)
        var retry: (text: Int, pattern: Int)?
        while t < text.count {
            if p < bytes.count, bytes[p] == UInt8(ascii: "*") {
                p += 1
                retry = (t, p)
            } else if p < bytes.count, bytes[p] == UInt8(ascii: "?") || bytes[p] == text[t] {
                (t, p) = (t + 1, p + 1)
            } else if let last = retry {
                retry = (last.text + 1, last.pattern)
                (t, p) = (last.text + 1, last.pattern)
            } else {
                return false
            }
        }
        return bytes[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Whether a list of patterns means `name`: some pattern fits, and no negated one does.
    static func list(_ patterns: [HostPattern], matches name: KnownHostName) -> Bool {
        var found = false
        for pattern in patterns where pattern.fits(name) {
            if pattern.isNegated { return false }
            found = true
        }
        return found
    }
}
