import ArgumentParser

/// What is written down about a run.
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
