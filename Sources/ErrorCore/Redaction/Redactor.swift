/// The rule by which secrets are kept out of logs, metrics and reports. The app can replace it.
///
/// The standard rule masks what follows `password`, `token`, `secret` and their like, credentials in URLs, in the words of
/// well-known commands and in what these are given to read, `Authorization` and `Cookie` headers, private keys, and tokens that show
/// by their form (JWT, cloud and code hosts' keys), and cuts commands to 50 characters. It is a net under the
/// code above it, not a reason to put secrets into errors: a secret that nothing announces, such as `deploy s3same`, stays.
public struct Redactor: Sendable {
    /// The greatest number of characters of a command.
    public static let commandLimit = 50

    private let rule: @Sendable (String) -> String

    /// A rule of the app's own, applied to every text that leaves for a log or a report.
    public init(_ rule: @escaping @Sendable (String) -> String) {
        self.rule = rule
    }

    /// The standard rule.
    public static let standard = Redactor(SecretScanner.mask)

    /// A text without its secrets.
    public func text(_ text: String) -> String {
        rule(text)
    }

    /// The words of a command without its secrets, each in its place: `mysql`, `-pX`; `--token`, `X`.
    public func words(_ words: [String]) -> [String] {
        let line = words.joined(separator: " ")
        let masked = rule(line)
        return masked == line ? words : WordMask(line, masked)?.applied(to: words) ?? words.map { _ in SecretScanner.replacement }
    }

    /// A command without its secrets, on one line, cut to ``commandLimit`` characters.
    public func command(_ command: String) -> String {
        // Masked before it is cut: a cut could leave half a secret whose name is gone.
        let line = rule(command).split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.cut(to: Self.commandLimit)
    }

    /// Facts without their secrets; a value whose key is that of a command is treated as one.
    public func metadata(_ metadata: ErrorMetadata) -> ErrorMetadata {
        metadata.mapValues { key, value in
            if SecretScanner.isSecretName(key) { return SecretScanner.replacement }
            return key.hasSuffix("command") ? command(value) : text(value)
        }
    }
}
