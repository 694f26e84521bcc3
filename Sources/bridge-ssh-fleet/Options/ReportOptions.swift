internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import FleetOutput
internal import SSHCommandLine
internal import SSHRun
internal import Synchronization

/// The report files of a run.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Write a report to read in a browser: one file, without scripts.", valueName: "file"),
        completion: .file(extensions: ["html"]),
        transform: FileName.parse)
    var html: String?

    @Option(
        help: ArgumentHelp("Write a report for CI systems, in which every host is a test case.", valueName: "file"),
        completion: .file(extensions: ["xml"]),
        transform: FileName.parse)
    var junit: String?

    @OptionGroup var failures: FailureRecordOptions
}

extension ReportOptions {
    /// The files, checked for writing; nil if none is requested.
    ///
    /// - Parameters:
    ///   - isQuiet: whether to leave out everything that was not explicitly requested.
    ///   - metrics: the file of `--prometheus`.
    /// - Throws: `UsageProblem` if a file cannot be written.
    func files(isQuiet: Bool, metrics: String? = nil) throws -> ReportFiles? {
        let actions = ActionsReport(failures, isQuiet: isQuiet)
        guard html != nil || junit != nil || metrics != nil || actions != nil || failures.log != nil else { return nil }
        return ReportFiles(
            html: try html.map { try ReportFile($0, option: "--html") },
            junit: try junit.map { try ReportFile($0, option: "--junit") },
            metrics: try metrics.map { try ReportFile($0, option: "--prometheus") }, actions: actions,
            log: try SystemJournal(failures.log))
    }
}

struct ReportFiles {
    let html: ReportFile?
    let junit: ReportFile?
    let metrics: ReportFile?
    let actions: ActionsReport?
    let log: SystemJournal?

    /// - Throws: `SSHError`.
    func write(_ report: FleetReport) throws {
        var report = report
        report.run.version = FleetProcess.version
        actions?.write(
            "\(report.run.command): \(report.sentence)",
            report.causes.map {
                .init(code: $0.code, title: $0.title, message: $0.message, remedy: $0.remedy, hosts: $0.hosts)
            })
        try metrics?.write(ReportMetrics.bytes(of: report))
        try junit?.write(ReportJUnit.bytes(of: report))
        try html?.write(ReportPage.bytes(of: report))
    }

    /// The directory for output that does not fit into memory.
    static var spillDirectory: String { FleetProcess.variable("TMPDIR") ?? "/tmp" }
    /// The bytes of output kept in memory.
    static let memory = 16 << 20
}

/// Collects the events of a run for the reports at its end.
final class ReportCollector: Sendable {
    private struct State: Sendable {
        var report: FleetReport
        var problem: (any Error)?
    }

    private let state: Mutex<State>
    private let files: ReportFiles

    init(_ files: ReportFiles, _ setting: FleetRunConfiguration, _ subject: RunSubject, _ reference: RunReference?) {
        self.files = files
        // As in the journal: --journal-command none.
        let isHidden = subject.omitsCommandText
        var run = FleetReport.Run(name: setting.run, kind: subject.kind, command: isHidden ? "" : setting.command)
        run.arguments = isHidden ? [] : subject.with(arguments: ProcessArguments.all).arguments
        run.journal = setting.journalPlace
        run.reference = reference
        state = Mutex(
            State(
                report: FleetReport(
                    run, hosts: setting.names, memory: ReportFiles.memory, spillDirectory: ReportFiles.spillDirectory,
                    folded: setting.folded)))
    }

    func take(_ event: FleetEvent) {
        state.withLock { state in
            switch event {
            case .ended(let result):
                if let error = result.error { files.log?.write(error, host: result.host, run: state.report.run.name) }
                do { try state.report.add(result) } catch { state.problem = state.problem ?? error }
            case .summary(let summary):
                state.report.run.duration = summary.duration
                state.report.run.exitStatus = Int(summary.exitStatus)
            default: break
            }
        }
    }

    /// Writes the reports.
    ///
    /// - Parameter whole: the journal of the whole run, if it was resumed and these events are only a part of it.
    /// - Throws: `SSHError`, `JournalProblem`.
    func write(whole: JournalReader?) throws {
        let (report, problem) = state.withLock { ($0.report, $0.problem) }
        if let problem { throw problem }
        guard let whole else { return try files.write(report) }
        try files.write(
            whole.report(
                report.run.reference, memory: ReportFiles.memory, spillDirectory: ReportFiles.spillDirectory,
                folded: report.folded))
    }
}

/// A file that is written completely or not at all. Its mode follows umask(2), because other programs read it.
struct ReportFile {
    let path: String
    private let option: String
    /// A stream, which is written to and never replaced. A named pipe stays open from the beginning: its reader would
    /// take a closing for the end.
    private let stream: Int32?

    /// Checks that the file can be written.
    ///
    /// - Throws: `UsageProblem`.
    init(_ path: String, option: String) throws {
        self.path = path
        self.option = option
        guard path != "-", !path.isEmpty else {
            throw UsageProblem(field: option, problem: "“\(path)” is not a name of a file; /dev/stdout is standard output")
        }
        if isStream(path) {
            let descriptor = openToAppend(path, creates: false, blocks: false)
            stream = descriptor
            guard descriptor < 0 else { return }
            throw errno == ENXIO
                ? UsageProblem(field: option, problem: "\(path) is a named pipe without a reader; start its reader first")
                : problem(errno)
        }
        stream = nil
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { throw problem(EISDIR) }
        let (temporary, descriptor) = try makeTemporary()
        close(descriptor)
        unlink(temporary)
    }

    /// Replaces the file.
    ///
    /// - Throws: `SSHError`.
    func write(_ bytes: [UInt8]) throws {
        if let stream {
            defer { close(stream) }
            return try writeAll(bytes, to: stream)
        }
        let (temporary, descriptor) = try makeTemporary()
        do {
            defer { close(descriptor) }
            try writeAll(bytes, to: descriptor)
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let number = errno
            unlink(temporary)
            throw failure(number)
        }
    }

    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
        do throws(LocalFileFailure) { try LocalFileFailure.writeAll(bytes, to: descriptor, path) } catch {
            throw failure(error.errno)
        }
    }

    private func makeTemporary() throws -> (path: String, descriptor: Int32) {
        guard let file = makeTemporaryFile(beside: path) else { throw problem(errno) }
        return file
    }

    private func problem(_ number: Int32) -> UsageProblem {
        UsageProblem(
            field: option,
            problem: "\(path) cannot be written: \(String(cString: strerror(number))); name a file in a directory of yours")
    }

    private func failure(_ number: Int32) -> SSHError {
        let reason: SSHFileProblem.Reason = number == ENOSPC || number == EDQUOT ? .diskFull : .writeFailed
        return SSHFailureClassifier.classify(
            SSHEvidence(
                event: .fileFailed(SSHFileProblem(reason, .local, operation: "write", path: path, systemError: number)),
                stage: .local))
    }
}
