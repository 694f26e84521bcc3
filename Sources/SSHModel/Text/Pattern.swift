/// Patterns of ssh_config(5): `*` for any run of characters, `?` for any one, lists with commas, `!` in front for "but not".
package enum Pattern {
    /// What a list says of a text.
    package enum Outcome {
        case matches
        case excludes
        case silent
    }

    /// Whether the wildcards fit the whole text, in this case.
    ///
    /// Only the last `*` is ever tried again, so no pattern is slow.
    package static func fits(_ pattern: some StringProtocol, _ text: some StringProtocol) -> Bool {
        fits(Array(pattern.utf8), Array(text.utf8))
    }

    /// The same for bytes, as known_hosts has them.
    package static func fits(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (t, p) = (0, 0)
        var retry: (text: Int, pattern: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                p += 1
                retry = (t, p)
            } else if p < pattern.count, pattern[p] == UInt8(ascii: "?") || pattern[p] == text[t] {
                (t, p) = (t + 1, p + 1)
            } else if let last = retry {
                retry = (last.text + 1, last.pattern)
                (t, p) = (last.text + 1, last.pattern)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// What a list with commas says; a negated pattern that fits decides at once.
    package static func list(_ list: String, _ text: String, ignoringCase: Bool = false) -> Outcome {
        let (list, text) = ignoringCase ? (list.lowercasedASCII, text.lowercasedASCII) : (list, text)
        var outcome = Outcome.silent
        for pattern in list.split(separator: ",", omittingEmptySubsequences: false) {
            let isNegated = pattern.hasPrefix("!")
            guard fits(isNegated ? pattern.dropFirst() : pattern, text) else { continue }
            if isNegated { return .excludes }
            outcome = .matches
        }
        return outcome
    }

    /// Whether a list means this text.
    package static func list(_ list: String, means text: String, ignoringCase: Bool = false) -> Bool {
        if case .matches = Self.list(list, text, ignoringCase: ignoringCase) { return true }
        return false
    }
}

extension String {
    /// ASCII capitals as small letters, all else unchanged: OpenSSH folds in the C locale.
    package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}
