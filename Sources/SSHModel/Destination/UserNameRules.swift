/// The rules for user names that stand beside a host: on a command line, in a URL, in a ProxyJump, or in a call of the library.
///
/// The server decides which names exist (RFC 4252 section 5: any UTF-8). But ssh's configuration gives the name to a shell, as
/// `%r` in ProxyCommand and `Match exec`, and the name may come from an untrusted source: a list of hosts, a submodule's URL, a
/// web form. So a name must have no meaning to a shell. That is the rule of OpenSSH (`valid_ruser` in ssh.c, since 9.6 for
/// CVE-2023-51385), with one addition. OpenSSH refuses a hyphen at the start and after white space, because the next program
/// would take it for an option. These rules also refuse a hyphen that the shell would move there, as in `\-oX` or `x$IFS-oX`.
///
/// A `User` in the owner's own configuration is not checked: the owner could write any ProxyCommand there as well.
package enum UserNameRules {
    private static let forbidden = Set("'`\";&<>|(){}".unicodeScalars)

    package static func check(_ user: String, input: String) throws(SSHDestinationProblem) {
        guard !user.isEmpty else { throw .emptyUser(input: input) }
        var word = WordStart()
        for scalar in user.unicodeScalars {
            guard !scalar.isControl else { throw .controlCharacter(scalar, input: input) }
            guard !forbidden.contains(scalar) else { throw .unsafeUser("hold the character \(scalar)", input: input) }
            guard scalar != "-" || !word.isHere else {
                throw .unsafeUser("hold a hyphen where an option could begin", input: input)
            }
            word.pass(scalar)
        }
        guard !user.hasSuffix("\\") else { throw .unsafeUser("end with a backslash", input: input) }
    }

    /// Tracks whether the next character could begin a word after the shell has removed backslashes and expanded variables. The
    /// value of a variable may be empty or end with white space.
    private struct WordStart {
        private(set) var isHere = true
        private var isInVariable = false
        private var isAfterDollar = false

        mutating func pass(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "$": (isHere, isInVariable, isAfterDollar) = (true, true, true)
            case "\\": (isInVariable, isAfterDollar) = (false, false)
            case " ": (isHere, isInVariable, isAfterDollar) = (true, false, false)
            default:
                isInVariable = isInVariable && (isAfterDollar || Self.isInName(scalar))
                isAfterDollar = false
                isHere = isInVariable
            }
        }

        private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }
    }
}
