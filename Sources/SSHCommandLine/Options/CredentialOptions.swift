public import ArgumentParser
public import BridgeSSH

/// The options for user authentication.
package struct CredentialOptions: ParsableArguments {
    @Option(
        name: [.customShort("i", allowingJoined: true), .long],
        help: ArgumentHelp("A private key file, instead of the default ones. Repeatable.", valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var identity: [String] = []

    @Flag(help: "Offer only those keys of the agent that are also identities.")
    var identitiesOnly = false

    @Option(
        help: ArgumentHelp(
            "A file with the password, which no other user may read; - asks on the terminal.", valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var passwordFile: String?

    package init() {}
}

/// The agent and the passphrase: enough for a command that logs in to jump hosts but not to the destination.
package struct KeyAccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The agent's socket, or none (default: $SSH_AUTH_SOCK).", valueName: "socket|none"),
        completion: .file(),
        transform: FileName.parse)
    var agent: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passphrase of the identities, which no other user may read; - asks on the terminal.",
            valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var passphraseFile: String?

    package init() {}
}

extension CredentialOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .list("-i", "--identity", unset: { $0.identity = [] }) { $0.identity.append($1) },
        .flag("--identities-only") { $0.identitiesOnly = $1 },
        .value("--password-file") { $0.passwordFile = $1 },
    ]
}

extension KeyAccessOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--agent") { $0.agent = $1 },
        .value("--passphrase-file") { $0.passphraseFile = $1 },
    ]
}

/// The options that decide which host keys are trusted.
package struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A known_hosts file, instead of ssh's usual four. Repeatable; new keys go into the first.", valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var knownHosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "How to treat an unknown host: strict refuses it, accept-new stores its key, ask asks you. Default: ask on a "
                + "terminal, else strict. A changed key is always refused.",
            valueName: "policy"))
    var hostKeyPolicy: SSHHostKeyPolicy?

    package init() {}
}

extension TrustOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .list("--known-hosts", unset: { $0.knownHosts = [] }) { $0.knownHosts.append($1) },
        .value("--host-key-policy") { $0.hostKeyPolicy = $1 },
    ]
}

extension SSHHostKeyPolicy: ExpressibleByArgument, ArgumentValue {}

/// Whether the program may ask a person.
struct PromptOptions: ParsableArguments {
    @Flag(name: .long, help: "Never ask: no prompt for passwords, passphrases or host keys.")
    var batch = false
}

extension PromptOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [.flag("--batch") { $0.batch = $1 }]
}
