/// The kind of algorithm in a list of ssh's configuration.
package enum AlgorithmKind: Sendable, Hashable, CaseIterable {
    /// Ciphers.
    case cipher
    /// MACs.
    case mac
    /// Key exchange methods.
    case keyExchange
    /// Signature algorithms of host keys and of users' keys.
    case key
}

/// A list of algorithms in ssh's configuration: names, or with `+`, `-` or `^` in front a change to the default ones.
package struct AlgorithmSpecification {
    package let kind: AlgorithmKind
    let text: String

    /// - Throws: `LineProblem` for a name that OpenSSH does not know; a name that is to be removed need not be known.
    init(_ text: String, _ kind: AlgorithmKind) throws(LineProblem) {
        self.kind = kind
        self.text = text
        guard !text.hasPrefix("-") else { return }
        let names = text.dropFirst(text.hasPrefix("+") || text.hasPrefix("^") ? 1 : 0)
        var known = !names.isEmpty
        for name in names.split(separator: ",", omittingEmptySubsequences: false) where known {
            // What follows an empty name is ignored.
            if name.isEmpty { break }
            known = Self.isKnown(String(name), kind)
        }
        guard known else { throw LineProblem("\(text) holds an algorithm that ssh does not know") }
    }

    private static func isKnown(_ name: String, _ kind: AlgorithmKind) -> Bool {
        if kind.all.contains(name) || kind.newer.contains(name) { return true }
        // Patterns are for key algorithms only.
        guard kind == .key else { return false }
        if ["RSA", "DSA", "ECDSA", "ED25519", "ECDSA-SK", "ED25519-SK"].contains(name.uppercased()) { return true }
        return kind.all.contains {
            if case .silent = Pattern.list(name, $0) { return false }
            return true
        }
    }

    /// The names in order, without repetitions.
    ///
    /// - Parameters:
    ///   - defaults: what `+`, `-` and `^` change.
    ///   - all: what patterns are looked up in, and the only names that come out of an addition.
    /// - Throws: `LineProblem` if nothing is left, or a name is negated.
    package func assemble(defaults: [String], all: [String]) throws(LineProblem) -> [String] {
        let rest = String(text.dropFirst())
        let patterns: [String]
        switch text.first {
        case "-": return defaults.filter { !Pattern.list(rest, means: $0) }
        case "+": patterns = defaults + Self.names(rest)
        case "^": patterns = Self.names(rest) + defaults
        default: patterns = Self.names(text)
        }
        var result: [String] = []
        for pattern in patterns {
            if pattern.hasPrefix("!") { throw LineProblem("\(text): a name cannot be negated here; remove it with - instead") }
            for name in all where Pattern.fits(pattern, name) && !result.contains(name) { result.append(name) }
        }
        guard !result.isEmpty else { throw LineProblem("\(text) leaves no algorithm") }
        return result
    }

    private static func names(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
