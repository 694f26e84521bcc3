/// What becomes of a keyword that ssh_config(5) of no known version has.
///
/// ssh(1) refuses every such line, wherever it stands, unless IgnoreUnknown names it. A line for a later ssh or another vendor's would so
/// stop every program that reads the file. Here a line is left out with a notice, except where leaving it out could weaken what the
/// user asked for: where its name speaks of what protects a connection, or is a known keyword misspelt.
enum UnknownKeyword {
    /// Whether a line that applies must be refused.
    ///
    /// - Parameter keyword: in lower case.
    static func mustBeRefused(_ keyword: String) -> Bool {
        telling.contains { keyword.contains($0) } || neighbour(of: keyword) != nil
    }

    /// How to correct it.
    static func suggestion(_ keyword: String) -> String {
        neighbour(of: keyword).map { "did you mean \($0)? Correct it" } ?? "correct it"
    }

    /// Parts of the names of ssh_config(5)'s keywords that choose the host, the keys, the algorithms, the way and what is allowed.
    private static let telling = [
        "agent", "algorithm", "allow", "auth", "cert", "cipher", "crypt", "deny", "disable", "forward", "host", "identity", "kex",
        "key", "mac", "pass", "permit", "pin", "proxy", "refuse", "require", "restrict", "revoke", "rsa", "secur", "sign",
        "strict",
        "trust", "user", "verify",
    ]

    /// A known keyword from which it differs by one letter, or by two of eight or more.
    private static func neighbour(of keyword: String) -> String? {
        Keyword.names.filter { abs($0.utf8.count - keyword.utf8.count) <= 2 && $0.utf8.count > 3 }
            .map { (name: $0, distance: EditDistance.between($0, keyword)) }
            .filter { $0.distance == 1 || $0.distance == 2 && keyword.utf8.count >= 8 }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }
}
