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

/// The problem of one line or value, without its file and line number.
package struct LineProblem: Error {
    package let text: String
    /// Whether the line is well-formed, but names a variable or a user that does not exist.
    package let namesNothing: Bool

    package init(_ text: String, namesNothing: Bool = false) { (self.text, self.namesNothing) = (text, namesNothing) }
}
