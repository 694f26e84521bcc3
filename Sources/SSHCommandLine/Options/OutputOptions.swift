public import ArgumentParser
public import BridgeSSH

/// The options for output and exit status.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output instead of anything else.")
    var json = false

    @Option(
        help: ArgumentHelp("The maximum of each output that --json collects (64M).", valueName: "bytes"),
        transform: ByteCount.parse)
    var outputLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Exit statuses of failures that are not the command's: 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: SSHExitStatus.Convention?

    @Flag(name: .shortAndLong, help: "Report each stage with its time, and notices; twice: the evidence of a failure too.")
    var verbose: Int

    @Flag(name: .shortAndLong, help: "Suppress bridge-ssh's own messages.")
    var quiet = false

    var convention: SSHExitStatus.Convention { exitCodes ?? .bridge }

    var style: OutputStyle { OutputStyle(json: json, quiet: quiet, verbosity: verbose, convention: convention) }
}

extension SSHExitStatus.Convention: ExpressibleByArgument, ArgumentValue {}

extension OutputOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .flag("--json") { $0.json = $1 },
        .value("--output-limit") { $0.outputLimit = $1 },
        .value("--exit-codes") { $0.exitCodes = $1 },
        .count("-v", "--verbose", unset: { $0.verbose = 0 }) { $0.verbose += 1 },
        .flag("-q", "--quiet") { $0.quiet = $1 },
    ]
}

/// The options for how the command's exit status is passed on.
package struct StatusOptions: ParsableArguments {
    static let fileOption = "--status-file"

    @Option(
        help: ArgumentHelp(
            "The exit status of a command that fails: its own (remote), or always 1, so that 193–199 are never the command's (strict).",
            valueName: "remote|strict"))
    var exitStatus: SSHExitStatus.CommandStatus?

    @Option(
        help: ArgumentHelp(
            "Write how the command ended to a file, on one line: exited STATUS CODE, signalled NAME CODE, or none - CODE.",
            valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var statusFile: String?

    package init() {}

    /// The treatment of the command's exit status.
    var commandStatus: SSHExitStatus.CommandStatus { exitStatus ?? .remote }
}

extension SSHExitStatus.CommandStatus: ExpressibleByArgument, ArgumentValue {}

extension StatusOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--exit-status") { $0.exitStatus = $1 },
        .value(fileOption) { $0.statusFile = $1 },
    ]
}

/// The options for a run's log files.
struct RecordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Append stages, notices and errors to a file, one JSON object a line.", valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var logFile: String?
    @Option(
        help: ArgumentHelp("Append only failures to a file, one JSON object a line.", valueName: "file"),
        completion: .file(),
        transform: FileName.parse)
    var errorLog: String?
}

extension RecordOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--log-file") { $0.logFile = $1 },
        .value("--error-log") { $0.errorLog = $1 },
    ]
}

/// The options for where failures are recorded besides standard error, of one run or a fleet's.
package struct FailureRecordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show failures as annotations and in the job summary of GitHub Actions (default: github if GITHUB_ACTIONS is true).",
            valueName: "github|none"))
    package var annotations: AnnotationChoice?
    @Option(
        help: ArgumentHelp(
            "Write failures to systemd's journal, each with a message ID for its code, or to another socket.",
            valueName: "journald[=socket]"))
    package var log: SystemJournalChoice?

    package init() {}
}

extension FailureRecordOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--annotations") { $0.annotations = $1 },
        .value("--log") { $0.log = $1 },
    ]
}

/// A place besides the log of a CI job where failures are shown.
package enum AnnotationChoice: String, Sendable, ExpressibleByArgument, ArgumentValue {
    /// As workflow commands and a job summary of GitHub Actions.
    case github
    case none
}

/// systemd's journal, as `--log` asks for it.
package struct SystemJournalChoice: Sendable, ExpressibleByArgument, ArgumentValue {
    /// The socket; nil for the system's.
    package let socket: String?

    package init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first == "journald", parts.count == 1 || parts.last != "" else { return nil }
        socket = parts.count == 2 ? String(parts[1]) : nil
    }
}
