import BridgeSSH
import ErrorCore
import Logging
import SSHRun

/// Where a run's failures go: to the log, to the error log, and to the person if one should see them.
struct RunRecords: Sendable {
    /// The log file's; silent without one.
    let logger: Logger
    private let handler: ErrorHandler
    private let logFile: (path: String, file: RecordFile)?
    private let errorLog: (path: String, reporter: JSONLinesReporter)?

    /// Logs nothing.
    init(style: OutputStyle) {
        self.init(style: style, logFile: nil, errorLog: nil)
    }

    /// Opens the files.
    ///
    /// - Throws: `UsageProblem` if one cannot be written.
    init(_ options: RecordOptions, home: String, style: OutputStyle) throws {
        func open(_ path: String?, _ option: String) throws -> (path: String, file: RecordFile)? {
            try path.map { path in
                let path = HomePath.expand(path, home: home)
                return (path, try RecordFile(path, option: option))
            }
        }
        let logFile = try open(options.logFile, "--log-file")
        // The reporter opens it for each record; here it is only proved that it can.
        let errorLog = try open(options.errorLog, "--error-log")?.path
        self.init(style: style, logFile: logFile, errorLog: errorLog)
    }

    private init(style: OutputStyle, logFile: (path: String, file: RecordFile)?, errorLog: String?) {
        self.logFile = logFile
        self.errorLog = errorLog.map { ($0, JSONLinesReporter(path: $0)) }
        logger = Logger(label: "bridge-ssh") { _ in
            if let logFile { JSONLinesLog(file: logFile.file) } else { SwiftLogNoOpLogHandler() }
        }
        handler = ErrorHandler(
            logger: logger, metrics: ErrorMetrics(prefix: "bridge_ssh"), reporters: self.errorLog.map { [$0.reporter] } ?? [],
            shouldPresent: { Self.shouldPresent($0.error, style) })
    }

    /// A remote status speaks for itself; a lost one does not.
    private static func shouldPresent(_ error: any Error, _ style: OutputStyle) -> Bool {
        guard !style.json, !style.quiet else { return false }
        guard let evidence = (error as? SSHError)?.evidence, evidence.event == .commandEnded else { return true }
        return style.verbosity > 1 || (evidence.command?.exitStatus == nil && evidence.command?.exitSignal == nil)
    }

    /// Logs a failure.
    ///
    /// - Parameter values: what else is known of the run.
    /// - Returns: what to show a person; nil for nothing, which it always is for a cancellation.
    func handle(
        _ error: SSHError, details: [ErrorPresentation.Detail] = [], values: ErrorMetadata = ErrorMetadata()
    ) async -> ErrorPresentation? {
        await handler.handle(error, context: ErrorContext(action: "run", values: values), details: details)
        return await handler.current
    }

    /// What could not be logged, and why.
    func complaints() async -> [String] {
        var result: [String] = []
        if let logFile, let problem = logFile.file.problem { result.append("\(logFile.path) is incomplete: \(problem)") }
        if let errorLog, let failure = await errorLog.reporter.lastFailure {
            result.append("\(errorLog.path) is incomplete: \(failure.userMessage)")
        }
        return result
    }
}
