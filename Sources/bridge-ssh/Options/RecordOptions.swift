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
    static var unset: Self {
        var options = Self()
        options.logFile = nil
        options.errorLog = nil
        return options
    }

    mutating func take(_ name: String, value: String) -> Bool {
        switch name {
        case "--log-file": logFile = value
        case "--error-log": errorLog = value
        default: return false
        }
        return true
    }
}
