/// Secrets that are recognised by their own form, as the scanners of code hosts do: the prefixes are those that the services
/// document for their tokens.
enum SecretShapes {
    private struct Prefix: Sendable {
        let text: String
        /// The least number of characters that follow.
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

    /// Whether a text has any of the prefixes, or may hold a JSON Web Token.
    static func mayMatch(_ text: String) -> Bool {
        starts.isIn(text)
    }

    private static let starts = PatternSet(["eyJ"] + prefixes.map(\.text), ignoresCase: false)

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

    /// A JSON Web Token (RFC 7519): three parts in base64url, the first two of which begin with `{"`.
    private static func isWebToken(_ word: Substring) -> Bool {
        guard word.hasPrefix("eyJ"), word.count >= 30 else { return false }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 3 && parts[1].hasPrefix("ey")
    }

    /// Whether a word is hardly one of a language: it has a digit, changes its case inside, or is long.
    static func isRandom(_ word: some StringProtocol) -> Bool {
        if word.count >= 32 || word.contains(where: { $0.isNumber || "=+/".contains($0) }) { return true }
        return word.dropFirst().contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
    }

    private static func isTokenCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
}
