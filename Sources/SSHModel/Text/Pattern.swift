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
    /// The text with ASCII letters in lower case, all else unchanged: OpenSSH folds case in the C locale.
    package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }
}

extension UInt8 {
    /// An ASCII letter in lower case, any other byte unchanged: OpenSSH folds the case of host names in the C locale.
    package var lowercasedASCII: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 32 : self }
}

/// Expands the tokens and variables in a value (TOKENS and ENVIRONMENT VARIABLES of ssh_config(5)).
package struct TokenExpansion {
    /// The values by the letter after `%`. Called at most once, and only if the text has a token.
    var tokens: () -> [UInt8: String]
    /// Looks up `${NAME}`; nil if variables have no meaning here.
    var variable: (@Sendable (String) -> String?)?

    package init(tokens: @autoclosure @escaping () -> [UInt8: String], variable: (@Sendable (String) -> String?)? = nil) {
        self.tokens = tokens
        self.variable = variable
    }

    /// Replaces all tokens and variables. The value of a variable is not expanded again.
    package func expand(_ text: String) throws(LineProblem) -> String {
        var output: [UInt8] = []
        var rest = text.utf8[...]
        lazy var values = tokens()
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "{"), let variable {
                output += try Self.value(of: &rest, variable).utf8
            } else if byte == UInt8(ascii: "%") {
                output += try Self.token(rest.popFirst(), values).utf8
            } else {
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func token(
        _ letter: UInt8?, _ values: @autoclosure () -> [UInt8: String]
    ) throws(LineProblem) -> String {
        if letter == UInt8(ascii: "%") { return "%" }
        guard let letter else { throw LineProblem("a single % is at the end; write %% for a percent sign") }
        guard let value = values()[letter] else {
            let name = Character(Unicode.Scalar(letter))
            throw LineProblem("%\(name) has no meaning here; write %% for a percent sign")
        }
        return value
    }

    /// Removes `{NAME}` from the front of `rest` and returns the variable's value.
    private static func value(
        of rest: inout Substring.UTF8View, _ variable: (String) -> String?
    ) throws(LineProblem) -> String {
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { throw LineProblem("${ is not closed by }") }
        let name = String(Substring(rest[..<close]).dropFirst())
        guard !name.isEmpty else { throw LineProblem("${} names no variable") }
        guard let value = variable(name) else {
            throw LineProblem("the environment variable \(name) is not set", namesNothing: true)
        }
        rest = rest[rest.index(after: close)...]
        return value
    }
}

/// What is wrong with one line or value, without its file and line number.
package struct LineProblem: Error {
    package let text: String
    /// Whether the line is well-formed, but names a variable or a user that does not exist.
    package let namesNothing: Bool

    package init(_ text: String, namesNothing: Bool = false) { (self.text, self.namesNothing) = (text, namesNothing) }
}
