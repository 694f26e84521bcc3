import ArgumentParser

/// User authentication.
@dynamicMemberLookup
struct CredentialOptions: ParsableArguments {
    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: ArgumentHelp("A private key file, instead of the default ones. Repeatable.", valueName: "file"),
        completion: .file())
    var identity: [String] = []

    @Flag(help: "Of the agent's keys, offer only those that are identities too.")
    var identitiesOnly = false

    @OptionGroup var keys: KeyAccessOptions

    @Option(
        help: ArgumentHelp(
            "A file with the password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    subscript<Value>(dynamicMember member: WritableKeyPath<KeyAccessOptions, Value>) -> Value {
        get { keys[keyPath: member] }
        set { keys[keyPath: member] = newValue }
    }
}

/// Where keys come from, and what opens them: all that a command needs for jump hosts whose destination it does not log in to.
struct KeyAccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The agent's socket, or none (default: $SSH_AUTH_SOCK).", valueName: "socket|none"),
        completion: .file())
    var agent: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passphrase of the identities, which no other user may read; - asks on the terminal.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// No identity and no password besides.
    var credentials: CredentialOptions {
        var options = CredentialOptions.unset
        options.keys = self
        return options
    }
}

extension CredentialOptions: PlainOptions {
    static let table =
        [
            .list("-i", "--identity", unset: { $0.identity = [] }) { $0.identity.append($1) },
            .flag("--identities-only") { $0.identitiesOnly = $1 },
            .value("--password-file") { $0.passwordFile = $1 },
        ] + PlainOption<Self>.group(\.keys) { $0.keys = $1 }
}

extension KeyAccessOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--agent") { $0.agent = $1 },
        .value("--passphrase-file") { $0.passphraseFile = $1 },
    ]
}
