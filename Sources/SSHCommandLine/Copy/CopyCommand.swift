import ArgumentParser
import BridgeSSH

/// `bridge-ssh copy`: files to a host or from it.
struct CopyCommand: ParsableCommand, PerformedCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "copy",
            abstract: "Copy files to a host, from it, or between two, over SFTP.",
            usage: "bridge-ssh copy [<options>] <source> … <destination>",
            discussion: CopyHelp.discussion)
    }

    @OptionGroup(title: "What is copied, and how") var copying: CopyingOptions
    @OptionGroup(title: "Host and user") var connection: CopyConnectionOptions
    @OptionGroup(title: "Host and user") var prompts: PromptOptions
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Authentication") var sudo: SudoOptions
    @OptionGroup(title: "Keeping the connection") var persist: PersistOptions
    @OptionGroup(title: "Host and user") var via: ViaOptions
    @OptionGroup(title: "Output and exit status") var output: CopyOutputOptions
    @OptionGroup(title: "Records") var records: RecordOptions

    @Argument(
        help: ArgumentHelp("The sources, then the destination; one side at least is remote.", valueName: "place"),
        completion: .file())
    var places: [String] = []
}

/// Output and exit status.
struct CopyOutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output.")
    var json = false

    @Option(help: ArgumentHelp("Exit statuses of failures: 1 and 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: ExitStatus.Convention?

    @Flag(name: .shortAndLong, help: "Tell each stage with its time, and notices; twice: the evidence of a failure too.")
    var verbose: Int

    @Flag(name: .shortAndLong, help: "Say nothing of ours, and show no progress.")
    var quiet = false

    var output: OutputOptions {
        var options = OutputOptions.unset
        (options.json, options.exitCodes, options.verbose, options.quiet) = (json, exitCodes, verbose, quiet)
        return options
    }
}
