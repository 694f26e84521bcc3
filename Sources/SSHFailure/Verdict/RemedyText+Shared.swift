/// Remedies, and parts of them, that several rules and definitions share.
extension RemedyText {
    static let onlyThisKey: RemedyText =
        "\(commandLine: "\(option: .identity, "FILE --identities-only")", library: "\(setting: .identity), with identitiesOnly")"
    static let askingInteraction: RemedyText = "Give an SSHInteraction that asks"
    static let somethingToAnswer: RemedyText =
        "\(commandLine: "a terminal to answer questions on", library: "an SSHInteraction that answers questions")"
    static let passwordInFile: RemedyText = "a password may also be given in a file."
    static let giveAnswers: RemedyText = "Give an SSHInteraction that answers, or SSHCredentials.password."
    static let untilLetIn: RemedyText =
        "\(commandLine: "let \(option: .wait, "5m") try", library: "again and again") until it lets you in"
    static let withMoreLog: RemedyText =
        "\(commandLine: "Run again with \(option: .verbose, isQuoted: false)", library: "Connect again with a logger at debug level")"
    static let anyFamily: RemedyText =
        "\(commandLine: "Leave out -4 or -6", library: "Set SSHConnectionConfiguration.addressFamily to .any")"
    static let withoutConfiguration: RemedyText =
        "\(commandLine: "run with \(option: .configuration, "none")", library: "read no configuration file")"
    static let withoutTerminal: RemedyText = "\(commandLine: "Run without", library: "Leave out") \(setting: .tty)"
    static let copying: RemedyText = "\(commandLine: "\(run: "bridge-ssh copy", .placeholders)", library: "withSFTP")"
    static let otherFile: RemedyText =
        "file first in SSHKnownHostsFiles.user, or set SSHKnownHostsFiles.acceptsWithoutRemembering"
    static let asItComes: RemedyText = "read it as it comes, with execute"
    static let allThatIsKnown: RemedyText = "\(commandLine: "all that was printed", library: "the error's evidence")"
    static let documentation: RemedyText = "the documentation of what was called"
    static let outOfMemory: RemedyText =
        "If it was not killed on purpose, the server probably ran out of memory: its kernel's log says so."

    /// - Parameter start: words before the option.
    static func openSSH(_ start: String, _ rest: RemedyText) -> RemedyText {
        "\(commandLine: "\(start) \(option: .via, "ssh"): ")OpenSSH's ssh \(rest)"
    }

    /// Trusts a host's key.
    ///
    /// - Parameter words: options and the host.
    static func trusting(_ words: String) -> RemedyText {
        "\(commandLine: "\(run: "bridge-ssh trust \(words)", .mayBeWrong)", library: "SSHKnownHostsWriter.add")"
    }

    /// Trusts a host's new key in place of the old one.
    static func replacing(_ words: String) -> RemedyText {
        "\(commandLine: "\(run: "bridge-ssh trust --update \(words)", .mayBeWrong)", library: "SSHKnownHostsWriter.replace")"
    }

    static func joined(_ sentences: [RemedyText]) -> RemedyText {
        sentences.dropFirst().reduce(sentences.first ?? "") { "\($0) \($1)" }
    }
}
