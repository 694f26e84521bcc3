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
    @OptionGroup(title: "ssh's configuration") var files: ConfigurationOptions
    @OptionGroup(title: "Host keys") var trust: TrustOptions
    @OptionGroup(title: "Authentication") var credentials: CredentialOptions
    @OptionGroup(title: "Output and exit status") var output: CopyOutputOptions
    @OptionGroup(title: "Records") var records: RecordOptions

    @Argument(
        help: ArgumentHelp("The sources, then the destination; one side at least is remote.", valueName: "place"),
        completion: .file())
    var places: [String] = []
}

/// What to copy, and how.
struct CopyingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Copy directories with all that is in them.")
    var recursive = false

    @Flag(name: [.customShort("p"), .long], help: "Give the copies the modes and times of their sources.")
    var preserve = false

    @Flag(help: "Go on with a partial copy that was made with --resume, and leave one when this copy fails.")
    var resume = false

    @Flag(help: "Compare the SHA-256 of both sides before a copy gets its name; needs a host that runs commands.")
    var checksum = false

    @Flag(help: "Overwrite files where they are, so that hard links stay, instead of replacing each in one step.")
    var inplace = false

    @Flag(help: "Leave holes where a file holds nothing but zeros.")
    var sparse = false

    @Flag(help: "Make the destination's directory, and those above it, where they are missing.")
    var mkpath = false

    @Option(
        help: ArgumentHelp("Move at most so much a second; K, M or G for powers of 1024.", valueName: "bytes"),
        transform: ByteCount.parse)
    var limitRate: ByteCount?

    @Option(
        help: ArgumentHelp(
            "After a lost connection connect again up to this often and go on, as with --resume (0).", valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?

    var options: SFTPCopyOptions {
        var options = SFTPCopyOptions()
        options.isRecursive = recursive
        options.preservesAttributes = preserve
        options.resumes = resume || (retries?.value ?? 0) > 0 && !inplace
        options.writesInPlace = inplace
        options.isSparse = sparse
        options.createsParents = mkpath
        options.bytesPerSecond = limitRate?.value
        options.expandsWildcards = true
        options.verifiesChecksums = checksum
        options.continuesAfterFailure = true
        return options
    }
}

/// `ConnectionOptions`, with the port at `-P`: scp has `-p` for something else.
struct CopyConnectionOptions: ParsableArguments {
    @Option(
        name: [.customShort("P", allowingJoined: true), .long],
        help: ArgumentHelp("The server's port; before that of a URL and 22.", valueName: "port"), transform: PortNumber.parse)
    var port: PortNumber?

    @Option(
        name: [.customShort("l", allowingJoined: true), .long],
        help: ArgumentHelp("The user to log in as; before user@ and your own login name.", valueName: "user"))
    var user: String?

    @Option(
        name: [.customShort("J", allowingJoined: true), .customLong("jump")],
        help: ArgumentHelp("Go through these hosts, in this order.", valueName: "[user@]host[:port],…"),
        completion: .jumpHosts)
    var jump: String?

    @Option(
        help: ArgumentHelp(
            "Time from the first connect to the open SFTP channel, your typing excluded (15).", valueName: "seconds"),
        transform: Seconds.parse)
    var connectTimeout: Seconds?

    @Option(
        help: ArgumentHelp("Ask a silent server for a sign of life this often; give up after three (15).", valueName: "seconds"),
        transform: Seconds.parse)
    var keepalive: Seconds?

    @Flag(exclusivity: .chooseLast, help: "Use only IPv4 or only IPv6 addresses.")
    var family: FamilyFlag?

    @Flag(name: .long, help: "Never ask anything: no prompt for passwords, passphrases or host keys.")
    var batch = false

    var connection: ConnectionOptions {
        var options = ConnectionOptions.unset
        (options.port, options.user, options.jump) = (port, user, jump)
        (options.connectTimeout, options.keepalive, options.family) = (connectTimeout, keepalive, family)
        return options
    }
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
