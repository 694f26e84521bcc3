/// Credentials in addresses: `scheme://user:password@host` (RFC 3986 section 3.2.1), a token as the user, and the paths of
/// webhooks, which are secrets as a whole.
enum SecretURLs {
    static func mask(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            output += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let word = rest.prefix { !$0.isWhitespace && !"\"'<>`".contains($0) }
            let masked = maskHook(maskUser(word))
            output += masked
            rest = rest[word.endIndex...]
        }
        return output + rest
    }

    private static func maskUser(_ word: Substring) -> String {
        let authority = word.prefix { !"/?#".contains($0) }
        guard let at = end(ofUserIn: word, authority: authority) else { return String(word) }
        let user = word[..<at]
        guard let colon = user.firstIndex(of: ":") else {
            let isToken = SecretShapes.isRandom(user) && user.count >= 16
            return isToken ? SecretScanner.replacement + word[at...] : String(word)
        }
        return word[...colon] + SecretScanner.replacement + word[at...]
    }

    /// The `@` that ends the user information. A password that was not encoded may have `@`, `/`, `?` and `#` in it.
    private static func end(ofUserIn word: Substring, authority: Substring) -> Substring.Index? {
        if let at = authority.lastIndex(of: "@") { return at }
        guard let colon = authority.firstIndex(of: ":"), !authority.hasPrefix("[") else { return nil }
        let port = authority[authority.index(after: colon)...]
        return port.allSatisfy(\.isNumber) ? nil : word.lastIndex(of: "@")
    }

    private static func maskHook(_ word: String) -> String {
        for path in ["hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"] {
            guard let range = word.firstRange(of: path) else { continue }
            return word[..<range.upperBound] + SecretScanner.replacement
        }
        if let bot = word.firstRange(of: "api.telegram.org/bot") {
            let secret = word[bot.upperBound...].prefix { $0 != "/" }
            return word[..<bot.upperBound] + SecretScanner.replacement + word[secret.endIndex...]
        }
        return word
    }
}
