/// Patterns of ssh_config(5): `*` matches any characters, `?` matches one. A list is separated by commas; `!` negates a
/// pattern.
package enum Pattern {
    /// The result of matching a list with a text.
    package enum Outcome {
        case matches
        case excludes
        case silent
    }

    /// Whether the pattern matches the whole text, case-sensitively.
    ///
    /// Only the last `*` is ever tried again, so no pattern is slow.
    package static func fits(_ pattern: some StringProtocol, _ text: some StringProtocol) -> Bool {
        fits(Array(pattern.utf8), Array(text.utf8))
    }

    /// The same for the bytes of known_hosts.
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

    /// Matches a list of patterns. A negated pattern that matches decides at once.
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

    /// Whether a list matches this text.
    package static func list(_ list: String, means text: String, ignoringCase: Bool = false) -> Bool {
        if case .matches = Self.list(list, text, ignoringCase: ignoringCase) { return true }
        return false
    }
}

extension String {
    /// The text with only its ASCII letters in lower case: OpenSSH folds case in the C locale.
    package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}

extension UInt8 {
    /// An ASCII letter in lower case, any other byte unchanged: OpenSSH folds the case of host names in the C locale.
    package var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self }
}
