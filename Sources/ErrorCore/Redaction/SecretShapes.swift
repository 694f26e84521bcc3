/// Recognises secrets by their form, as the scanners of code hosts do. The services document these prefixes for their tokens.
enum SecretShapes {
    private struct Prefix: Sendable {
        let text: String
        /// The least number of characters after the prefix.
        let minimum: Int
    }

    private static let prefixes: [Prefix] = [
        // Amazon: access keys, long-lived and temporary.
        Prefix(text: "AKIA", minimum: 16), Prefix(text: "ASIA", minimum: 16),
        // Google: API keys, OAuth access tokens and client secrets.
        Prefix(text: "AIza", minimum: 30), Prefix(text: "ya29.", minimum: 20), Prefix(text: "GOCSPX-", minimum: 20),
        // GitHub, GitLab, Bitbucket.
        Prefix(text: "ghp_", minimum: 20), Prefix(text: "gho_", minimum: 20), Prefix(text: "ghu_", minimum: 20),
        Prefix(text: "ghs_", minimum: 20), Prefix(text: "ghr_", minimum: 20), Prefix(text: "github_pat_", minimum: 20),
        Prefix(text: "glpat-", minimum: 16), Prefix(text: "gldt-", minimum: 16), Prefix(text: "glrt-", minimum: 16),
        Prefix(text: "ATBB", minimum: 24), Prefix(text: "ATATT3", minimum: 24),
        // Slack, Stripe, SendGrid, Twilio, Shopify, Square.
        Prefix(text: "xoxb-", minimum: 10), Prefix(text: "xoxp-", minimum: 10), Prefix(text: "xoxa-", minimum: 10),
        Prefix(text: "xoxs-", minimum: 10), Prefix(text: "xoxe.", minimum: 10), Prefix(text: "xapp-", minimum: 10),
        Prefix(text: "sk_live_", minimum: 10), Prefix(text: "sk_test_", minimum: 10), Prefix(text: "rk_live_", minimum: 10),
        Prefix(text: "whsec_", minimum: 16), Prefix(text: "SG.", minimum: 40), Prefix(text: "shpat_", minimum: 20),
        Prefix(text: "shpss_", minimum: 20), Prefix(text: "sq0atp-", minimum: 16), Prefix(text: "EAAA", minimum: 50),
        // OpenAI, Anthropic, Hugging Face.
        Prefix(text: "sk-proj-", minimum: 16), Prefix(text: "sk-ant-", minimum: 16), Prefix(text: "sk-", minimum: 32),
        Prefix(text: "hf_", minimum: 24),
        // Package registries and clouds.
        Prefix(text: "npm_", minimum: 24), Prefix(text: "pypi-", minimum: 40), Prefix(text: "dop_v1_", minimum: 32),
        Prefix(text: "dckr_pat_", minimum: 16), Prefix(text: "hvs.", minimum: 20), Prefix(text: "rubygems_", minimum: 24),
        // age's private keys.
        Prefix(text: "AGE-SECRET-KEY-1", minimum: 20),
    ]

    /// Whether a text contains any of the prefixes, or may contain a JSON Web Token.
    static func mayMatch(_ text: String) -> Bool {
        prefixPatterns.isIn(text)
    }

    private static let prefixPatterns = PatternSet(["eyJ"] + prefixes.map(\.text), ignoresCase: false)

    static func mask(_ text: String) -> String {
        guard mayMatch(text) else { return text }
        var output = ""
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix(while: isTokenCharacter)
            rest = rest[word.endIndex...]
            output += isSecret(word) ? SecretScanner.replacement : String(word)
            if let next = rest.popFirst() { output.append(next) }
        }
        return output
    }

    private static func isSecret(_ word: Substring) -> Bool {
        if isWebToken(word) { return true }
        return prefixes.contains { word.hasPrefix($0.text) && word.count >= $0.text.count + $0.minimum && isRandom(word) }
    }

    /// A JSON Web Token (RFC 7519): three parts in base64url. The first two begin with `{"`.
    private static func isWebToken(_ word: Substring) -> Bool {
        guard word.hasPrefix("eyJ"), word.count >= 30 else { return false }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[1].hasPrefix("ey")
    }

    /// Whether a word is probably not from a language: it has a digit, changes case inside, or is long.
    static func isRandom(_ word: some StringProtocol) -> Bool {
        if word.count >= 32 || word.contains(where: { $0.isNumber || "=+/".contains($0) }) { return true }
        return word.dropFirst().contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
}

/// Masks the password of Percona Toolkit's data source names: `h=db1,u=root,p=x`.
enum SecretDataSources {
    static func mask(_ text: String) -> String {
        guard text.contains(",p=") else { return text }
        var output = ""
        var rest = text[...]
        while !rest.isEmpty {
            let word = rest.prefix { !$0.isWhitespace && !"\"'".contains($0) }
            output += masked(word)
            rest = rest[word.endIndex...]
            if let next = rest.popFirst() { output.append(next) }
        }
        return output
    }

    private static func masked(_ word: Substring) -> String {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false)
        // `w=3,h=4,p=5` has no host.
        guard parts.contains(where: { $0.hasPrefix("h=") && $0.dropFirst(2).contains(where: \.isLetter) }),
            parts.allSatisfy({ $0.dropFirst().first == "=" && $0.first?.isLetter == true })
        else { return String(word) }
        return parts.map { part in
            let isSecret = part.hasPrefix("p=") && part.count > 2 && !part.hasPrefix("p=$")
            return isSecret ? "p=" + SecretScanner.replacement : String(part)
        }.joined(separator: ",")
    }
}

/// Masks credentials in URLs: `scheme://user:password@host` (RFC 3986 section 3.2.1), a token as the user, and the paths of
/// webhooks, which are secret as a whole.
enum SecretURLs {
    static func mask(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while let scheme = rest.firstRange(of: "://") {
            output += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let word = rest.prefix { !$0.isWhitespace && !"\"'<>`".contains($0) }
            let masked = maskHook(maskUser(word, isHTTP: output.hasSuffix("http://") || output.hasSuffix("https://")))
            output += masked
            rest = rest[word.endIndex...]
        }
        return output + rest
    }

    private static func maskUser(_ word: Substring, isHTTP: Bool) -> String {
        let authority = word.prefix { !"/?#".contains($0) }
        guard let at = end(ofUserIn: word, authority: authority) else { return String(word) }
        let user = word[..<at].prefix { $0 != ":" }
        let password = word[user.endIndex..<at].dropFirst()
        // Over HTTP a user without a password is a token: `https://TOKEN@host`, `https://TOKEN:x-oauth-basic@host`.
        let isToken = isHTTP && ["", "x-oauth-basic"].contains(password) || SecretShapes.isRandom(user) && user.count >= 16
        let shown = isToken ? SecretScanner.replacement : String(user)
        return user.endIndex == at ? shown + word[at...] : "\(shown):\(SecretScanner.replacement)\(word[at...])"
    }

    /// The `@` that ends the user information. A password that is not percent-encoded may contain `@`, `/`, `?` and `#`.
    private static func end(ofUserIn word: Substring, authority: Substring) -> Substring.Index? {
        if let at = authority.lastIndex(of: "@") { return at }
        guard let colon = authority.firstIndex(of: ":"), !authority.hasPrefix("[") else { return nil }
        let port = authority[authority.index(after: colon)...]
        return port.allSatisfy(\.isNumber) ? nil : word.lastIndex(of: "@")
    }

    /// Whether a text has a word with a colon before an `@`.
    static func mayHavePassword(_ text: String) -> Bool {
        var hasColon = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "@"), hasColon { return true }
            hasColon = byte == UInt8(ascii: ":") || hasColon && byte > UInt8(ascii: " ")
        }
        return false
    }

    /// The password of `me:X@host` without a scheme; `:pserver:me:X@host:/x` is CVS's.
    static func passwordBeforeHost(in word: Substring) -> Range<Substring.Index>? {
        guard !word.contains("://"), !word.contains(where: \.isWhitespace), let at = word.lastIndex(of: "@") else { return nil }
        let host = word[word.index(after: at)...]
        guard host.first.map({ $0.isLetter || $0.isNumber || $0 == "[" }) == true, !host.hasPrefix("sha256:") else { return nil }
        var user = word[..<at].drop { "\"'".contains($0) }
        if user.first == "-", let value = user.firstIndex(of: "=") { user = user[value...].dropFirst() }
        if user.first == ":" { user = user.dropFirst().drop { $0 != ":" }.dropFirst() }
        guard let colon = user.firstIndex(of: ":"), !schemes.contains(user[..<colon].lowercased()) else { return nil }
        let password = user.index(after: colon)..<at
        return password.isEmpty || "/.~".contains(user[password].first ?? "/") ? nil : password
    }

    /// Schemes of addresses that have no `//`.
    private static let schemes: Set<String> = ["mailto", "sip", "sips", "xmpp", "acct", "npm", "pkg", "jsr"]

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

/// The names of secrets.
enum SecretNames {
    /// Endings of names, compared without case, `-`, `_` and `.`.
    private static let ends = [
        "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "accesskey", "accesskeyid",
        "secretkey",
        "privatekey", "accountkey", "encryptionkey", "signingkey", "masterkey", "authkey", "sessionkey", "storagekey",
        "subscriptionkey", "credential", "credentials", "authorization", "cookie", "sshpass", "userpwd", "proxyauth",
        "rediscliauth", "licensekey", "certificatekey", "securitykey", "hmackey", "secretkeybase", "setupkey",
        "presharedkey", "keymaterial", "agekey", "securestring",
    ]
    /// Whole names that are too short to match as endings. They count only before `=`: `pin`, `otp`.
    private static let assignedOnly: Set<String> = ["pin", "otp", "pass", "pw", "psk"]
    /// Words that end in `pass` and are no password's.
    private static let wordsEndingInPass = [
        "bypass", "compass", "trespass", "overpass", "underpass", "surpass", "multipass", "onepass", "twopass", "singlepass",
        "firstpass", "allpass", "lowpass", "highpass", "bandpass",
    ]
    /// First words of options that turn a login on or off: `--require-auth`.
    private static let switches: Set<Substring> = [
        "no", "enable", "disable", "require", "skip", "use", "allow", "force", "with", "without", "default",
    ]
    /// Values of `--auth` and its like that name a way to log in.
    private static let methods: Set<Substring> = [
        "none", "basic", "digest", "ntlm", "negotiate", "kerberos", "krb", "gssapi", "gss", "plain", "login", "cram", "oauth",
        "bearer", "password", "passwd", "publickey", "key", "trust", "md", "scram", "token", "ldap", "sspi", "pam", "yes", "no",
        "true", "false", "on", "off", "required", "optional", "require", "aws", "iam", "any", "anonymous", "peer", "ident",
        "cert",
        "certificate", "tls", "mtls", "saml", "oidc", "radius", "system", "default", "auto", "internal", "external", "simple",
        "sasl", "x", "jwt", "env", "file", "gcp", "azure", "github", "reject", "sha", "all",
    ]
    /// The signature in a URL gives access as a password does: `sig` in Azure's URLs.
    private static let signatures: Set<String> = ["sig", "signature", "xamzsignature", "xgoogsignature"]

    /// A number at the end counts names: `--password2`, `DB_PASSWORD_1`.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        var plain = plain(name)
        while plain.last?.isNumber == true { plain.removeLast() }
        return ends.contains { plain.hasSuffix($0) } || endsInPass(name)
    }

    /// Whether a name ends with a word that means a secret only before an assigned value: `ROOT_PW`, `so-pin`, `dbpass`.
    static func isShort(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        let last = name.split { "-_.".contains($0) }.last ?? ""
        return assignedOnly.contains(String(last)) || last.hasSuffix("pass") && !wordsEndingInPass.contains { last.hasSuffix($0) }
    }

    /// Whether a long option with this name has a secret value: `--pin X`, `--root-pw X`, `--auth me:X`.
    static func isSecretOption(_ name: some StringProtocol, value: Substring) -> Bool {
        guard name.hasPrefix("--") else { return false }
        if isShort(name) { return true }
        let words = name.lowercased().split { "-_.".contains($0) }
        guard words.last?.hasSuffix("auth") == true, !switches.contains(words[0]), !"/.~".contains(value.first ?? "/") else {
            return false
        }
        return !methods.contains(value.lowercased().prefix(while: \.isLetter)[...])
    }

    /// Whether an option only says where a secret comes from, or that there is none: `--ask-pass`, `--no-password`.
    static func isQuestion(_ name: some StringProtocol) -> Bool {
        ["--ask-", "--no-", "--prompt-"].contains { name.hasPrefix($0) }
    }

    /// Whether `name=value` assigns a secret.
    static func isSecretIfAssigned(_ name: some StringProtocol, value: Substring) -> Bool {
        if isSecret(name) { return true }
        // `pass=12 fail=3` counts tests.
        if isShort(name) { return value.count > 3 || !value.allSatisfy(\.isNumber) }
        return signatures.contains(plain(name)) && SecretShapes.isRandom(value) || isSecretOption(name, value: value)
    }

    /// Whether the value is a path and the name one of paths too: a shell's `PWD=/srv`, `ssl_certificate_key /etc/x.pem`.
    static func isDirectory(_ name: some StringProtocol, value: Substring) -> Bool {
        ["pwd", "certificatekey"].contains(where: plain(name).hasSuffix) && (value.hasPrefix("/") || value.hasPrefix("~"))
    }

    /// Matches `DB_PASS`, `smtp-pass` and `userPass`, but not `bypass` or the `pass: 12` of a test summary.
    private static func endsInPass(_ name: some StringProtocol) -> Bool {
        for end in ["_pass", "-pass", "_PASS", "Pass"] where name.count > end.count && name.hasSuffix(end) { return true }
        return false
    }

    // MARK: Values

    /// Whether a word mixes letters and digits, as the words of a sentence do not.
    static func isMixed(_ value: Substring) -> Bool {
        value.count >= 6 && value.contains(where: \.isNumber) && value.contains(where: \.isLetter)
    }

    private static let prose: Set<String> = [
        "a", "an", "and", "are", "authentication", "be", "been", "can", "cannot", "cant", "could", "denied", "did", "does",
        "empty", "error", "expected", "expired", "expires", "failed", "for", "from", "has", "have", "if", "in", "incorrect",
        "invalid", "is", "it", "length", "missing", "must", "needs", "nil", "no", "none", "not", "null", "of", "on", "or",
        "permission", "please", "redacted", "refused", "rejected", "required", "should", "that", "the", "this", "to", "too",
        "true", "false", "try", "unable", "undefined", "unexpected", "unknown", "unset", "was", "what", "with", "wrong", "yes",
        "you", "your", "optional", "changed", "reset", "mismatch", "hidden", "set",
    ]

    /// Whether a word is one of a sentence, a mask or a variable, and so no secret.
    static func isProse(_ value: Substring) -> Bool {
        prose.contains(value.lowercased().filter { $0.isLetter }) && !value.contains { $0.isNumber } || value.hasPrefix("•")
            || value.hasPrefix("***") || value.hasPrefix("$")
    }

    static func plain(_ name: some StringProtocol) -> String {
        name.lowercased().filter { !"-_.\"'".contains($0) }
    }
}
