/// Finds secrets in free text by the names and shapes that announce them: the standard rule of ``Redactor``.
///
/// It prefers to mask too much where a secret is likely, and leaves prose alone: "the password was refused".
enum SecretScanner {
    static let replacement = "•••"

    /// The text with every secret that can be recognised replaced.
    static func mask(_ text: String) -> String {
        guard mayHoldSecret(text) else { return text }
        var result = SecretBlocks.mask(text)
        result = SecretURLs.mask(result)
        result = SecretOptions.mask(result)
        result = SecretAssignments.mask(result)
        return SecretShapes.mask(result)
    }

    /// Whether a name is that of a secret: `DB_PASSWORD`, `api-key`, `accessToken`.
    static func isSecretName(_ name: some StringProtocol) -> Bool {
        SecretNames.isSecret(name)
    }

    /// A cheap test first: nearly all texts hold none.
    private static func mayHoldSecret(_ text: String) -> Bool {
        hints.isIn(text) || SecretCommands.names.isIn(text) || SecretShapes.mayMatch(text)
    }

    private static let hints = PatternSet(
        [
            "://", "pass", "pwd", "secret", "token", "key", "auth", "credential", "cookie", "bearer", "basic ", "sig", "access_",
            "otp",
            "pin=", "--pin", "pw=", "--pw", "psk=", "--psk", "identified by", "curl", "mysql", "maria", "redis-cli", "ldap",
            "smbclient", "docker", "zip", "7z", "mongo",
            "psql",
        ], ignoresCase: true)
}
