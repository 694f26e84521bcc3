import ArgumentParser

/// What is logged about a run.
struct RecordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Append stages, notices and errors to a file, one JSON object a line.", valueName: "file"),
        completion: .file())
    var logFile: String?
    @Option(
        help: ArgumentHelp("Append each failure, and nothing else, to a file, one JSON object a line.", valueName: "file"),
        completion: .file())
    var errorLog: String?
    @Option(
        help: ArgumentHelp(
            "Show a failure as an annotation and in the job summary of GitHub Actions (github where GITHUB_ACTIONS is true).",
            valueName: "github|none"))
    var annotations: AnnotationChoice?
    @Option(
        help: ArgumentHelp(
            "Write a failure to systemd's journal, with a message ID for its code; the socket, where it is another one.",
            valueName: "journald[=socket]"))
    var log: SystemJournalChoice?
}

extension RecordOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--log-file") { $0.logFile = $1 },
        .value("--error-log") { $0.errorLog = $1 },
        .value("--annotations") { $0.annotations = $1 },
        .value("--log") { $0.log = $1 },
    ]
}

/// Where failures are shown beside the log of a CI job.
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
