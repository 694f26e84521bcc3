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
    static var unset: Self {
        var options = Self()
        options.identity = []
        options.identitiesOnly = false
        options.agent = nil
        options.passwordFile = nil
        options.passphraseFile = nil
        return options
    }

    mutating func take(flag: String) -> Bool {
        guard flag == "--identities-only" else { return false }
        identitiesOnly = true
        return true
    }

    mutating func take(_ name: String, value: String) -> Bool {
        switch name {
        case "-i", "--identity": identity.append(value)
        case "--agent": agent = value
        case "--password-file": passwordFile = value
        case "--passphrase-file": passphraseFile = value
        default: return false
        }
        return true
    }
}
