/// The names under which secrets are given.
enum SecretNames {
    /// The ends of the names, compared without case, `-`, `_` and `.`.
    private static let ends = [
        "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "accesskey", "accesskeyid",
        "secretkey",
        "privatekey", "accountkey", "encryptionkey", "signingkey", "masterkey", "authkey", "sessionkey", "storagekey",
        "subscriptionkey", "credential", "credentials", "authorization", "cookie", "sshpass", "userpwd",
        "rediscliauth",
    ]
    /// Whole names that are too short to be an end, only where `=` gives them a value: `pin`, `otp`.
    private static let assignedOnly: Set<String> = ["pin", "otp", "pass", "pw", "psk"]
    /// The signature of an address is as good as a password: `sig` of Azure's.
    private static let signatures: Set<String> = ["sig", "signature", "xamzsignature", "xgoogsignature"]

    static func isSecret(_ name: some StringProtocol) -> Bool {
        let plain = plain(name)
        return ends.contains { plain.hasSuffix($0) } || endsInPass(name)
    }

    /// Whether a long option of this name has a secret as its value: `--pin`, `--pw`.
    static func isSecretOption(_ name: some StringProtocol) -> Bool {
        name.hasPrefix("--") && assignedOnly.contains(plain(name))
    }

    /// Whether `name=value` is an assignment of a secret.
    static func isSecretIfAssigned(_ name: some StringProtocol, value: Substring) -> Bool {
        if isSecret(name) { return true }
        let plain = plain(name)
        // `pass=12 fail=3` is a count.
        if assignedOnly.contains(plain) { return value.count > 3 || !value.allSatisfy(\.isNumber) }
        return signatures.contains(plain) && SecretShapes.isRandom(value)
    }

    /// Whether the value is the working directory of a shell: `PWD=/srv`.
    static func isDirectory(_ name: some StringProtocol, value: Substring) -> Bool {
        plain(name).hasSuffix("pwd") && (value.hasPrefix("/") || value.hasPrefix("~"))
    }

    /// `DB_PASS`, `smtp-pass`, `userPass`; not `bypass`, nor the `pass: 12` of a test's summary.
    private static func endsInPass(_ name: some StringProtocol) -> Bool {
        for end in ["_pass", "-pass", "_PASS", "Pass"] where name.count > end.count && name.hasSuffix(end) { return true }
        return false
    }

    static func plain(_ name: some StringProtocol) -> String {
        name.lowercased().filter { !"-_.\"'".contains($0) }
    }
}
