import BridgeSSH
import ErrorCore
import Logging
import SSHRun
import Synchronization

/// Records a run's failures in the log, the error log and the status file, and decides whether the person sees them.
struct RunRecords: Sendable {
    /// The logger of the log file; silent without one.
    let logger: Logger
    private let style: OutputStyle
    private let handler: ErrorHandler
    private let identity = RunIdentity()
    private let logFile: (path: String, file: RecordFile)?
    private let errorLog: (path: String, reporter: JSONLinesReporter)?
    private let statusFile: (path: String, file: StatusFile)?
    private let actions: ActionsReport?
    private let journal: SystemJournal?

    /// Records nothing.
    init(style: OutputStyle) {
        self.init(style: style, logFile: nil, errorLog: nil, statusFile: nil, actions: nil, journal: nil)
    }

    /// Opens the files.
    ///
    /// - Throws: `UsageProblem` if one cannot be written.
    init(
        _ options: RecordOptions, _ failures: FailureRecordOptions, _ status: StatusOptions = .unset, home: String,
        style: OutputStyle
    ) throws {
        func open(_ path: String?, _ option: String) throws -> (path: String, file: RecordFile)? {
            try path.map { path in
                let path = HomePath.expand(path, home: home)
                return (path, try RecordFile(path, option: option))
            }
        }
        let logFile = try open(options.logFile, "--log-file")
        // The reporter opens the file for each record. Opening it here proves that it can.
        let errorLog = try open(options.errorLog, "--error-log")?.path
        let statusFile = try status.file(home: home).map { (status.statusFile ?? "", $0) }
        self.init(
            style: style, logFile: logFile, errorLog: errorLog, statusFile: statusFile,
            actions: ActionsReport(failures, isQuiet: style.quiet), journal: try SystemJournal(failures.log))
    }

    private init(
        style: OutputStyle, logFile: (path: String, file: RecordFile)?, errorLog: String?,
        statusFile: (path: String, file: StatusFile)?, actions: ActionsReport?, journal: SystemJournal?
    ) {
        self.style = style
        self.logFile = logFile
        self.statusFile = statusFile
        self.actions = actions
        self.journal = journal
        self.errorLog = errorLog.map { ($0, JSONLinesReporter(path: $0)) }
        let identity = identity
        logger = Logger(label: "bridge-ssh") { _ in
            if let logFile { JSONLinesLog(file: logFile.file, run: identity) } else { SwiftLogNoOpLogHandler() }
        }
        handler = ErrorHandler(
            logger: logger, metrics: ErrorMetrics(prefix: "bridge_ssh"),
            reporters: self.errorLog.map { [SourcelessReporter(file: $0.reporter)] } ?? [], shouldPresent: { _ in false })
    }

    /// Adds the host to every later line.
    func concern(_ plan: RunCommandPlan) { identity.concerns(plan.endpoint, named: plan.destination) }

    /// Whether the person sees a failure. A remote exit status needs no banner, unless it is lost or this process cannot exit
    /// with it.
    func shows(_ error: SSHError) -> Bool {
        guard !style.json, !style.quiet else { return false }
        guard error.evidence.event == .commandEnded else { return true }
        // The status is not the command's own.
        if error.code == .authLoginsClosed || error.evidence.command?.shell != nil { return true }
        let evidence = error.evidence
        guard style.verbosity <= 1, evidence.command?.exitSignal == nil else { return style.verbosity > 1 }
        return evidence.command?.exitStatus.map { Int(SSHExitStatus.remote($0).rawValue) != $0 } ?? true
    }

    /// Logs a failure.
    ///
    /// - Parameter values: more facts about the run.
    func record(_ error: SSHError, values: ErrorMetadata = ErrorMetadata()) async {
        var values = values
        values.merge(identity.metadata, keepingBothUnder: "run_")
        await handler.handle(error, context: ErrorContext(action: "run", values: values))
    }

    /// Shows a run to a CI system, and writes a failure to systemd's journal.
    ///
    /// - Parameter error: nil for a success.
    func annotate(_ error: SSHError?, of destination: String) {
        let name = destination.isEmpty ? "bridge-ssh run" : destination
        if let error { journal?.write(error, host: name) }
        actions?.write(
            error.map { "\(name): \($0.code.title)" } ?? "\(name): ok",
            error.map { [ActionsReport.Cause($0, destination: name)] } ?? [])
    }

    /// Writes how the command ended to the status file.
    ///
    /// - Returns: why the file could not be written; nil if it was, or without a status file.
    func write(_ conclusion: RunConclusion) -> String? {
        guard let statusFile else { return nil }
        let report = conclusion.report
        return write(
            StatusLine(exitStatus: report.exitStatus, signal: report.exitSignal, code: report.error?.code.rawValue), statusFile)
    }

    /// Writes the failure of a run that did not start to the status file.
    func write(_ error: SSHError) {
        guard let statusFile else { return }
        _ = write(StatusLine(exitStatus: nil, signal: nil, code: error.code.rawValue), statusFile)
    }

    private func write(_ line: StatusLine, _ statusFile: (path: String, file: StatusFile)) -> String? {
        statusFile.file.write(line).map { "\(TerminalText.escape(statusFile.path)) was not written: \($0)" }
    }

    /// Messages about files that could not be written completely.
    func complaints() async -> [String] {
        var result: [String] = []
        if let logFile, let problem = logFile.file.problem { result.append("\(logFile.path) is incomplete: \(problem)") }
        if let errorLog, let failure = await errorLog.reporter.lastFailure {
            result.append("\(errorLog.path) is incomplete: \(failure.userMessage)")
        }
        return result
    }
}

/// Writes records without source locations.
private struct SourcelessReporter: ErrorReporter {
    let file: JSONLinesReporter

    func report(_ record: ErrorRecord) async { await file.report(record.withoutSource) }
}

/// The metadata in every line of a run's records, which distinguish several runs in one file: the process, the run, and the
/// host once it is known.
final class RunIdentity: Sendable {
    private let values: Mutex<ErrorMetadata>

    init() {
        let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
        let run = String(repeating: "0", count: 16 - digits.count) + digits
        values = Mutex(["pid": "\(getpid())", "run_id": run])
    }

    /// Adds the host.
    ///
    /// - Parameter destination: the destination as it was typed.
    func concerns(_ endpoint: SSHEndpoint, named destination: String) {
        values.withLock { $0.merge(["ssh_destination": destination, "ssh_host": endpoint.host]) }
    }

    var metadata: ErrorMetadata { values.withLock { $0 } }

    var facts: Logger.Metadata { metadata.entries.mapValues { .string($0) } }
}
