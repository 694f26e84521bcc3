/// The tokens and variables that a value may hold (TOKENS and ENVIRONMENT VARIABLES of ssh_config(5)).
package struct TokenExpansion {
    /// Values by the letter after `%`; asked only where one is written, and once.
    var tokens: () -> [UInt8: String]
    /// `${NAME}`; nil where variables have no meaning.
    var variable: (@Sendable (String) -> String?)?

    package init(tokens: @autoclosure @escaping () -> [UInt8: String], variable: (@Sendable (String) -> String?)? = nil) {
        self.tokens = tokens
        self.variable = variable
    }

    /// Replaces all of them, once: what a variable holds is not looked at again.
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
        guard let letter else { throw LineProblem("a % stands alone at the end; write %% for a percent sign") }
        guard let value = values()[letter] else {
            let name = Character(Unicode.Scalar(letter))
            throw LineProblem("%\(name) has no meaning here; write %% for a percent sign")
        }
        return value
    }

    /// Takes `{NAME}` off the front.
    private static func value(
        of rest: inout Substring.UTF8View, _ variable: (String) -> String?
    ) throws(LineProblem) -> String {
        guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { throw LineProblem("${ is not closed by }") }
        let name = String(Substring(rest[..<close]).dropFirst())
        guard !name.isEmpty else { throw LineProblem("${} names no variable") }
        guard let value = variable(name) else { throw LineProblem("the environment variable \(name) is not set") }
        rest = rest[rest.index(after: close)...]
        return value
    }
}
