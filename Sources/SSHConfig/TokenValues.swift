internal import Crypto

/// The values of the tokens for one destination.
package struct TokenValues {
    /// The host that is connected to: `%h`.
    package var host: String
    /// The host as it was named: `%n`.
    package var originalHost: String
    /// The name under which the host key is looked up: `%k`.
    package var keyAlias: String
    package var port: Int
    package var user: String
    /// The last jump host: `%j`, which OpenSSH has since 9.7.
    var jump = ""
    package let context: SSHConfigContext

    package init(
        host: String, originalHost: String, keyAlias: String, port: Int, user: String, jump: String = "",
        context: SSHConfigContext
    ) {
        self.host = host
        self.originalHost = originalHost
        self.keyAlias = keyAlias
        self.port = port
        self.user = user
        self.jump = jump
        self.context = context
    }

    /// All tokens but those that only a running connection knows.
    package var all: [UInt8: String] {
        let local = context.localHostName
        return [
            UInt8(ascii: "C"): connectionHash, UInt8(ascii: "L"): String(local.prefix { $0 != "." }),
            UInt8(ascii: "d"): context.home, UInt8(ascii: "h"): host, UInt8(ascii: "i"): "\(context.userID)",
            UInt8(ascii: "j"): jump, UInt8(ascii: "k"): keyAlias, UInt8(ascii: "l"): local, UInt8(ascii: "n"): originalHost,
            UInt8(ascii: "p"): "\(port)", UInt8(ascii: "r"): user, UInt8(ascii: "u"): context.localUser,
        ]
    }

    /// `%C`: SHA-1 of `%l%h%p%r%j` in hexadecimal, as OpenSSH has it since 9.7; before, `%j` was not part of it.
    private var connectionHash: String {
        let digest = Insecure.SHA1.hash(data: Array((context.localHostName + host + "\(port)" + user + jump).utf8))
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
    package func checkHosts() throws(LineProblem) {
        for name in [host, originalHost] {
            do { try HostNameRules.check(name, input: name) } catch { throw LineProblem(error.description) }
        }
    }

    /// `~` and `~name` at the front.
    package static func expandTilde(_ text: String, _ context: SSHConfigContext) throws(LineProblem) -> String {
        guard text.hasPrefix("~") else { return text }
        let name = text.dropFirst().prefix { $0 != "/" }
        guard let home = name.isEmpty ? context.home : context.homeOfUser(String(name)) else {
            throw LineProblem("there is no user \(name) whose home ~\(name) could be", namesNothing: true)
        }
        let path = text.dropFirst(1 + name.count).drop { $0 == "/" }
        return (home.hasSuffix("/") ? home : home + "/") + String(path)
    }
}
