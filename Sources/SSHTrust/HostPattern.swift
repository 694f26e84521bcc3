/// One pattern of a known_hosts line: `*` for any run of characters, `?` for any one, `!` in front for "but not".
struct HostPattern: Sendable, Hashable {
    let isNegated: Bool
    let bytes: [UInt8]

    init(_ text: ArraySlice<UInt8>) {
        isNegated = text.first == UInt8(ascii: "!")
        bytes = text.dropFirst(isNegated ? 1 : 0).map(\.lowercasedASCII)
    }

    /// Whether the wildcards fit, negation aside.
    func fits(_ name: KnownHostName) -> Bool { Pattern.fits(bytes, name.bytes) }

    /// Whether a list of patterns matches `name`: some pattern does, and no negated one does.
    static func list(_ patterns: [HostPattern], matches name: KnownHostName) -> Bool {
        var found = false
        for pattern in patterns where pattern.fits(name) {
            if pattern.isNegated { return false }
            found = true
        }
        return found
    }
}
