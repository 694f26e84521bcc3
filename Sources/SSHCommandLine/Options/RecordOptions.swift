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
}

extension RecordOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--log-file") { $0.logFile = $1 },
        .value("--error-log") { $0.errorLog = $1 },
    ]
}
