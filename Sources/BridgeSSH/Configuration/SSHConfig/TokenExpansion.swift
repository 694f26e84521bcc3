internal import Crypto

/// The tokens and variables that a value may hold (TOKENS and ENVIRONMENT VARIABLES of ssh_config(5)).
struct TokenExpansion {
    /// Values by the letter after `%`; asked only where one is written, and once.
    var tokens: () -> [UInt8: String]
    /// `${NAME}`; nil where variables have no meaning.
    var variable: (@Sendable (String) -> String?)?

    init(tokens: @autoclosure @escaping () -> [UInt8: String], variable: (@Sendable (String) -> String?)? = nil) {
        self.tokens = tokens
        self.variable = variable
    }

    /// Replaces all of them, once: what a variable holds is not looked at again.
    func expand(_ text: String) throws(LineProblem) -> String {
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

/// What the tokens of one destination stand for.
struct TokenValues {
    /// The host that is connected to: `%h`.
    var host: String
    /// The host as it was named: `%n`.
    var originalHost: String
    /// What the host key goes by: `%k`.
    var keyAlias: String
    var port: Int
    var user: String
    /// The jump hosts: `%j`, which OpenSSH has since 9.7.
    var jump = ""
    let context: ConfigurationContext

    /// All tokens but those that only a running connection knows.
    var all: [UInt8: String] {
        let local = context.localHostName
        return [
            UInt8(ascii: "C"): connectionHash, UInt8(ascii: "L"): String(local.prefix { $0 != "." }),
            UInt8(ascii: "d"): context.home, UInt8(ascii: "h"): host, UInt8(ascii: "i"): "\(context.userID)",
            UInt8(ascii: "j"): jump, UInt8(ascii: "k"): keyAlias, UInt8(ascii: "l"): local, UInt8(ascii: "n"): originalHost,
            UInt8(ascii: "p"): "\(port)", UInt8(ascii: "r"): user, UInt8(ascii: "u"): context.localUser,
        ]
    }

    /// `%C`: SHA-1 of `%l%h%p%r` in hexadecimal.
    private var connectionHash: String {
        let digest = Insecure.SHA1.hash(data: Array((context.localHostName + host + "\(port)" + user).utf8))
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// `~`, then tokens and variables: as for files.
    func expandPath(_ text: String) throws(LineProblem) -> String {
        try TokenExpansion(tokens: all, variable: context.variable).expand(Self.expandTilde(text, context))
    }

    /// Tokens alone: as for commands.
    func expandCommand(_ text: String) throws(LineProblem) -> String {
        try checkHosts()
        return try TokenExpansion(tokens: all).expand(text)
    }

    /// Refuses hosts that a command must not get: HostName may hold anything, also by an option.
    func checkHosts() throws(LineProblem) {
        for name in [host, originalHost] {
            do { try HostNameRules.check(name, input: name) } catch { throw LineProblem(error.description) }
        }
    }

    /// `~` and `~name` at the front.
    static func expandTilde(_ text: String, _ context: ConfigurationContext) throws(LineProblem) -> String {
        guard text.hasPrefix("~") else { return text }
        let name = text.dropFirst().prefix { $0 != "/" }
        guard let home = name.isEmpty ? context.home : context.homeOfUser(String(name)) else {
            throw LineProblem("there is no user \(name) whose home ~\(name) could be")
        }
        let path = text.dropFirst(1 + name.count).drop { $0 == "/" }
        return (home.hasSuffix("/") ? home : home + "/") + String(path)
    }
}
