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
}

extension RecordOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--log-file") { $0.logFile = $1 },
        .value("--error-log") { $0.errorLog = $1 },
        .value("--annotations") { $0.annotations = $1 },
    ]
}

/// Where failures are shown beside the log of a CI job.
package enum AnnotationChoice: String, Sendable, ExpressibleByArgument, ArgumentValue {
    /// As workflow commands and a job summary of GitHub Actions.
    case github
    case none
}
