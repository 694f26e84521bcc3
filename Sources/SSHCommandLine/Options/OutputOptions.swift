public import ArgumentParser
public import BridgeSSH

/// Output and exit status.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output instead of anything else.")
    var json = false

    @Option(
        help: ArgumentHelp("The most of each output that --json collects (64M).", valueName: "bytes"), transform: ByteCount.parse)
    var outputLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Exit statuses of failures that are not the command's: 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: ExitStatus.Convention?

    @Flag(name: .shortAndLong, help: "Report each stage with its time, and notices; twice: the evidence of a failure too.")
    var verbose: Int

    @Flag(name: .shortAndLong, help: "Suppress bridge-ssh's own messages.")
    var quiet = false

    var convention: ExitStatus.Convention { exitCodes ?? .bridge }

    var style: OutputStyle { OutputStyle(json: json, quiet: quiet, verbosity: verbose, convention: convention) }
}

// The conventions by their names.
extension ExitStatus.Convention: ExpressibleByArgument, ArgumentValue {}

extension OutputOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .flag("--json") { $0.json = $1 },
        .value("--output-limit") { $0.outputLimit = $1 },
        .value("--exit-codes") { $0.exitCodes = $1 },
        .count("-v", "--verbose", unset: { $0.verbose = 0 }) { $0.verbose += 1 },
        .flag("-q", "--quiet") { $0.quiet = $1 },
    ]
}
