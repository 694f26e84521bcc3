import ArgumentParser
package import BridgeSSH
import ErrorCore
package import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The options of `run` that hold for every host of a fleet too.
package struct HostOptions: ParsableArguments, ConnectingCommand {
    @OptionGroup(title: "Host and user") var connection: ConnectionOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Trying again") var retry: RetryOptions

    package init() {}

    /// `--batch` is something else for a fleet, whose hosts are never asked about in the midst of a run.
    var prompts: PromptOptions { .unset }

    /// What to say of key files that were named by an option and are not there; one that an agent has is given by its public half.
    package func missingIdentities(home: String) -> [String] {
        credentials.identity.map { HomePath.expand($0, home: home) }
            .filter { access($0, F_OK) != 0 && access($0 + ".pub", F_OK) != 0 }
            .map { "the identity \(TerminalText.escape($0)) is not there: \(String(cString: strerror(ENOENT)))" }
    }

    /// What `-F` says.
    package var configurationFile: String? { files.config }

    /// Where ssh's configuration is read from, as `-F` says.
    package static func configuration(_ file: String?, home: String) -> SSHConfigSource {
        ConfigurationOptions.source(file, home: home) ?? .standard
    }

    /// - Throws: `UsageProblem` for what ssh cannot be given for many hosts.
    package func check(_ maker: ConnectionMaker, _ options: SSHCommandOptions, isRoot: Bool) throws {
        guard maker == .ssh else { return }
        try ViaOptions.check(options, wantsTerminal: false, persists: false, isRoot: isRoot)
        if credentials.passwordFile != nil {
            throw UsageProblem(
                field: "--password-file",
                problem:
                    "with --via ssh one wrong password would be refused by many hosts at once; use a key or an agent, or leave "
                    + "--via ssh out, with which the password is offered to one host first")
        }
    }

    /// How often a host is tried again.
    package var retries: Int { retry.retries?.value ?? 0 }
    /// How long a host that lets nobody in yet is waited for; nil for not at all.
    package var wait: LoginWait? { retry.waiting.wait }
    /// Whether the command may run twice.
    package var isIdempotent: Bool { retry.idempotent }
}

/// How the command is run on every host.
package struct CommandChoices: ParsableArguments {
    @OptionGroup var execution: ExecutionOptions
    @OptionGroup var status: StatusOptions

    package init() {}

    /// What becomes of the exit status of a command that failed.
    package var commandStatus: ExitStatus.CommandStatus { status.commandStatus }

    /// Where the run's end is written; nil where that was not asked for.
    ///
    /// - Throws: `UsageProblem` if it cannot be.
    package func statusFile(home: String) throws -> StatusFile? { try status.file(home: home) }

    /// The variables of options.
    package var variables: [(name: String, value: String)] { execution.env.map { ($0.name, $0.value) } }

    /// - Throws: `UsageProblem` for what many hosts cannot have.
    package func options() throws -> SSHCommandOptions {
        if execution.tty {
            throw UsageProblem(field: "--tty", problem: "many hosts cannot share a terminal; use bridge-ssh run on one of them")
        }
        return execution.commandOptions
    }
}

/// A length of time as an option gives it.
package struct TimeOption: Sendable {
    package let duration: Duration

    /// For an option's `transform`.
    package static func parse(_ argument: String) throws -> TimeOption {
        TimeOption(duration: try Seconds.parse(argument).duration)
    }

    package init?(argument: String) {
        guard let seconds = Seconds(argument: argument) else { return nil }
        duration = seconds.duration
    }

    private init(duration: Duration) { self.duration = duration }
}

/// A number of bytes as an option gives it.
package struct BytesOption: Sendable {
    package let count: Int

    /// For an option's `transform`.
    package static func parse(_ argument: String) throws -> BytesOption {
        BytesOption(count: try ByteCount.parse(argument).value)
    }

    private init(count: Int) { self.count = count }
}
