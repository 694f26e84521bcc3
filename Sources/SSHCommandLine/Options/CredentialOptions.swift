import ArgumentParser

/// User authentication.
struct CredentialOptions: ParsableArguments {
    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: ArgumentHelp("A private key file, instead of the default ones. Repeatable.", valueName: "file"),
        completion: .file())
    var identity: [String] = []

    @Flag(help: "Of the agent's keys, offer only those that are identities too.")
    var identitiesOnly = false

    @Option(
        help: ArgumentHelp("The agent's socket, or none (default: $SSH_AUTH_SOCK).", valueName: "socket|none"),
        completion: .file())
    var agent: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passphrase of the identities, which no other user may read; - asks on the terminal.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?
}

extension CredentialOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .list("-i", "--identity", unset: { $0.identity = [] }) { $0.identity.append($1) },
        .flag("--identities-only") { $0.identitiesOnly = $1 },
        .value("--agent") { $0.agent = $1 },
        .value("--password-file") { $0.passwordFile = $1 },
        .value("--passphrase-file") { $0.passphraseFile = $1 },
    ]
}
