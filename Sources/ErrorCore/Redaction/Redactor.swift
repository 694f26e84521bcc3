/// The rule that keeps secrets out of logs, metrics and reports. The app can replace it.
///
/// The standard rule masks the values of `password`, `token`, `secret` and similar names, credentials in URLs, secrets in the
/// words and the input of well-known commands, `Authorization` and `Cookie` headers, private keys, and tokens with a known form
/// (JWT, keys of cloud services and code hosts). It cuts commands to 50 characters. It is a safety net: do not rely on it, and do
/// not put secrets into errors. It cannot recognise a secret without a telling name or form, as in `deploy s3same`.
public struct Redactor: Sendable {
    /// The greatest length of a command, in characters.
    public static let commandLimit = 50

    private let rule: @Sendable (String) -> String

    /// A rule of the app's own, applied to every text for a log or a report.
    public init(_ rule: @escaping @Sendable (String) -> String) {
        self.rule = rule
    }

    /// The standard rule.
    public static let standard = Redactor(SecretScanner.mask)

    /// Removes the secrets from a text.
    public func text(_ text: String) -> String {
        rule(text)
    }

    /// Removes the secrets from a command's words and keeps their number: `mysql`, `-pX`; `--token`, `X`.
    public func words(_ words: [String]) -> [String] {
        let line = words.joined(separator: " ")
        let masked = rule(line)
        return masked == line ? words : WordMask(line, masked)?.applied(to: words) ?? words.map { _ in SecretScanner.replacement }
    }

    /// Removes the secrets from a command, puts it on one line, and cuts it to ``commandLimit`` characters.
    public func command(_ command: String) -> String {
        // Mask before cutting: a cut could separate part of a secret from its name.
        let line = rule(command).split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.cut(to: Self.commandLimit)
    }

    /// Removes the secrets from facts. The value of a key for commands is treated as a command.
    public func metadata(_ metadata: ErrorMetadata) -> ErrorMetadata {
        metadata.mapValues { key, value in
            if SecretScanner.isSecretName(key) { return SecretScanner.replacement }
            return key.hasSuffix("command") ? command(value) : text(value)
        }
    }
}
