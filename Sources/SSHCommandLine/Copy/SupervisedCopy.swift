import BridgeSSH
import ErrorCore
import Logging
import SSHRun
import Synchronization

/// A copy from beginning to end, with signal handling and the report.
struct SupervisedCopy: Sendable {
    let plan: CopyPlan
    let records: RunRecords

    func perform() async -> SSHExitStatus {
        let log = StageLog(style: plan.run.output, identities: plan.run.identities)
        let conclusion = CopyConclusion(
            plan: plan, log: log, records: records, isWatched: CopyProgressBar(style: plan.run.output).isShown)
        let showWaitNote = SignalSupervision.waitNote("removing unfinished files", plan.run.output)
        return await SignalSupervision.perform(showWaitNote: showWaitNote) { control in
            let context = RunContext(control: control, log: log, logger: records.logger)
            let bar = CopyProgressBar(style: plan.run.output)
            defer { bar.clear() }
            return await copy(context, bar)
        } unfinished: { control in
            CopyOutcome(error: error(.cancelled(signal: control.signal)))
        } publish: {
            await conclusion.publish($0)
        }
    }

    private func copy(_ context: RunContext, _ bar: CopyProgressBar) async -> CopyOutcome {
        let start = ContinuousClock.now
        // The person is asked for each secret once, for all attempts.
        let hosts = CopyHosts(
            target: ResolvedAccess(plan: plan.run.access, log: context.log),
            source: plan.sourceRun.map { ResolvedAccess(plan: $0.access, log: context.log) })
        let finished = plan.retry.retries > 0 || plan.retry.wait != nil ? SFTPFinishedFiles() : nil
        var outcome = CopyOutcome()
        do {
            try await withRetry(plan.retry.policy { true }, observer: { report($0, context, bar) }) { number in
                await hosts.beginAttempt()
                outcome = await attempt(context, bar, hosts, finished)
                outcome.attempts = number
                if let error = outcome.error { throw error }
            }
        } catch is SSHError {
            // The outcome has the error.
        } catch {
            // Only a cancelled delay, or cancelled work before the first attempt, ends here.
            outcome.error = self.error(.cancelled(signal: context.control.signal), copied: outcome.result)
        }
        outcome.progress = bar.progress
        outcome.copySeconds = bar.seconds
        outcome.durationSeconds = start.duration(to: .now).inSeconds
        return outcome
    }

    private func attempt(
        _ context: RunContext, _ bar: CopyProgressBar, _ hosts: CopyHosts, _ finished: SFTPFinishedFiles?
    ) async -> CopyOutcome {
        let timeline = Timeline(observer: context.log, logger: context.logger)
        var outcome = CopyOutcome()
        let kept = Mutex<SFTPCopyResult?>(nil)
        let copying = CopyAttemptContext(bar: bar, finished: finished) { result in kept.withLock { $0 = result } }
        do {
            outcome.result = try await withSFTP(plan.run, hosts.target, context, timeline) { sftp in
                guard let access = hosts.source, let sourceRun = plan.sourceRun else {
                    return try await copy(over: sftp, from: nil, copying)
                }
                return try await withSFTP(sourceRun, access, context, timeline) { source in
                    try await copy(over: sftp, from: source, copying)
                }
            }
        } catch {
            outcome.result = kept.withLock { $0 }
            outcome.error = self.error(context.control.end(of: error), copied: outcome.result)
        }
        outcome.timings = timeline.timings
        return outcome
    }

    /// Lends a client for a host, over a kept connection or over a new one.
    private func withSFTP(
        _ run: RunCommandPlan, _ access: ResolvedAccess, _ context: RunContext, _ timeline: Timeline,
        _ body: @Sendable (SFTPClient) async throws -> SFTPCopyResult
    ) async throws -> SFTPCopyResult {
        if run.maker == .ssh {
            context.control.isConnected(false)
            let attempt = RunAttempt(plan: run.run, context: context, access: access, streams: .collecting(limit: 0))
            let carrier = OpenSSHSFTP(attempt: attempt, route: run.route)
            guard let sudo = run.run.sudo else { return try await carrier.perform(timeline, body) }
            return try await Self.asRoot(try await carrier.root(timeline, sudo), context.control, body)
        }
        if let persistence = run.persistence {
            context.control.isConnected(false)
            let attempt = RunAttempt(plan: run.run, context: context, access: access, streams: .collecting(limit: 0))
            let kept = HelperSFTP(attempt: attempt, persistence: persistence, style: run.output)
            if let result = try await kept.perform(timeline, body) { return result }
        }
        let connection = try await HostLogin(run.access, access, context).connect(timeline) { configuration in
            configuration.keepAliveForCopy(run.access)
        }
        do {
            let result: SFTPCopyResult
            if let sudo = run.run.sudo {
                let root = SudoSFTP(on: connection, timeline, sudo, password: sudo.password)
                result = try await Self.asRoot(root, context.control, body)
            } else {
                result = try await connection.withSFTP { try await body($0) }
            }
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private static func asRoot(
        _ root: SudoSFTP, _ control: RunControl, _ body: @Sendable (SFTPClient) async throws -> SFTPCopyResult
    ) async throws -> SFTPCopyResult {
        control.isAtSudo(true)
        defer { control.isAtSudo(false) }
        return try await root.withClient { sftp in
            control.isAtSudo(false)
            return try await body(sftp)
        }
    }

    private func copy(over sftp: SFTPClient, from source: SFTPClient?, _ copying: CopyAttemptContext) async throws
        -> SFTPCopyResult
    {
        var options = plan.options
        options.interrupted = copying.interrupted
        options.finished = copying.finished
        let bar = copying.bar
        bar.begin()
        options.progress = { bar.update($0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bar.run() }
            defer { group.cancelAll() }
            switch plan.direction {
            case .upload: return try await sftp.upload(plan.sources, to: plan.destination, options: options)
            case .download: return try await sftp.download(plan.sources, to: plan.destination, options: options)
            case .relay:
                guard let source else { throw CancellationError() }
                return try await sftp.copy(plan.sources, from: source, to: plan.destination, options: options)
            }
        }
    }

    /// Tells a person who watches the progress why it has stopped.
    private func report(_ event: RetryEvent, _ context: RunContext, _ bar: CopyProgressBar) {
        guard case .willRetry(let attempt, let delay) = event else { return }
        let failure = ErrorProfile(attempt.error)
        let text =
            "\(failure.code) in \(plan.retry.text(ofAttempt: attempt.number)); connecting again in "
            + "\(CopyProgressLine.seconds(delay)) s"
        context.logger.notice("trying again: \(failure.message)", metadata: ["error_code": .string(failure.code)])
        guard bar.isShown else { return context.log.line(text) }
        bar.clear()
        Console.note(text)
    }

    private func left(_ copied: SFTPCopyResult?) -> SSHCopyEvidence {
        SSHCopyEvidence(
            files: copied?.files ?? 0, resumes: plan.options.resumes,
            partialFiles: (copied?.partialFiles ?? []).map(PathText.shown))
    }

    /// - Parameter copied: the progress of the copy; nil if it had not started.
    private func error(_ end: RunOutcome.End, copied: SFTPCopyResult? = nil) -> SSHError {
        let event: SSHEvidence.Event
        switch end {
        case .failed(let error):
            // An error that ended the connection before the copy did does not describe the copy.
            guard error.evidence.copy == nil, error.category != .file else { return error }
            var evidence = error.evidence
            evidence.copy = left(copied)
            return SSHFailureClassifier.classify(evidence)
        case .cancelled(let signal): event = .cancelled(signal: signal)
        case .unforeseen(let problem): event = .internalFailure(problem: problem)
        case .ended, .outputClosed: event = .internalFailure(problem: "a copy ended as a command")
        }
        var evidence = SSHEvidence(local: event, endpoint: plan.run.endpoint)
        evidence.copy = left(copied)
        return SSHFailureClassifier.classify(evidence)
    }
}

/// The inputs of one attempt besides the connections.
private struct CopyAttemptContext: Sendable {
    let bar: CopyProgressBar
    /// The files that earlier attempts have copied; nil without a second attempt.
    let finished: SFTPFinishedFiles?
    /// Receives the partial result when the attempt fails.
    let interrupted: @Sendable (SFTPCopyResult) -> Void
}

/// How to log in to the destination's host, and to the sources' host in a copy between two hosts.
private struct CopyHosts: Sendable {
    let target: ResolvedAccess
    let source: ResolvedAccess?

    func beginAttempt() async {
        await target.beginAttempt()
        await source?.beginAttempt()
    }
}

extension CopyCommand {
    /// Runs the copy, and reports every failure before it returns.
    func perform() async -> SSHExitStatus {
        let launchEnvironment = LaunchEnvironment.current()
        let style = output.output.style
        var records = RunRecords(style: style)
        do {
            records = try RunRecords(self.records, failures, home: launchEnvironment.home, style: style)
            let plan = try CopyPlan(self, launchEnvironment: launchEnvironment)
            return await SupervisedCopy(plan: plan, records: records).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            await records.record(problem.verdict(of: .copy))
            let hints = ArgumentHints(.copy, json: output.json, quiet: output.quiet, convention: style.convention)
            return UsageReport(problem: problem, hints: hints, object: Self.failureObject).publish()
        }
    }

    /// The JSON object of a failure before anything was copied.
    static func failureObject(_ error: SSHError, _: ArgumentHints) -> JSONValue {
        CopyReport(error: error).json
    }
}

/// Reports the outcome of a copy: the JSON object or the banners, and the exit status.
struct CopyConclusion: Sendable {
    let plan: CopyPlan
    let log: StageLog
    let records: RunRecords
    /// Whether a person has watched the progress.
    let isWatched: Bool

    private var style: OutputStyle { plan.run.output }
    private var isSilent: Bool { style.quiet || style.json }

    func publish(_ outcome: CopyOutcome) async -> SSHExitStatus {
        if style.json { Console.standardOutput(plan.report(outcome).json) }
        if !isSilent {
            // Shown even with --quiet, because the person expects that every file is copied and verified.
            for notice in outcome.result?.notices ?? [] { Console.note(TerminalText.escape(notice)) }
        }
        let failures = (outcome.result?.failures ?? []) + (outcome.error.map { [$0] } ?? [])
        await show(failures)
        let summary = CopySummary(outcome)
        if !isSilent, isWatched || summary.isNeeded { Console.note(summary.text) }
        guard let last = failures.last else {
            log.line("copied \(outcome.progress.files) files, \(outcome.progress.bytes) bytes")
            records.logger.info("copied", metadata: metadata(outcome))
            return outcome.isComplete ? .success : .fileFailure
        }
        if !isSilent {
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return last.exitStatus(style.convention)
    }

    /// Failures of one kind share a banner.
    private func show(_ failures: [SSHError]) async {
        var groups: [FailureGroup] = []
        var places: [FailureGroup.Key: Int] = [:]
        for error in failures {
            await records.record(error)
            guard records.shows(error) else { continue }
            let key = FailureGroup.Key(code: error.code, remedy: error.remedyText, alternatives: error.alternatives)
            if let place = places[key] {
                groups[place].add(error.userMessage)
            } else {
                places[key] = groups.count
                groups.append(FailureGroup(error: error))
            }
        }
        for group in groups {
            FailureBanner.show(group.error, and: group.otherMessages, showsEvidence: style.verbosity > 1)
        }
    }

    private func metadata(_ outcome: CopyOutcome) -> Logger.Metadata {
        [
            "ssh_host": .string(plan.run.endpoint.host), "files": .stringConvertible(outcome.progress.files),
            "bytes": .stringConvertible(outcome.progress.bytes), "elapsed_seconds": .stringConvertible(outcome.durationSeconds),
        ]
    }
}

/// Failures that differ only in the file that they name.
struct FailureGroup {
    struct Key: Hashable {
        let code: SSHError.Code
        let remedy: RemedyText
        let alternatives: [String]
    }

    /// The maximum number of messages in one banner.
    private static let maximumCount = 20

    /// The first failure of the group.
    let error: SSHError
    private var messages: [String] = []
    private var others = 0

    init(error: SSHError) { self.error = error }

    mutating func add(_ message: String) {
        if messages.count < Self.maximumCount - 1 { messages.append(message) } else { others += 1 }
    }

    /// The messages of the others, for one banner.
    var otherMessages: [String] { others > 0 ? messages + ["and \(others) more; --json lists them."] : messages }
}

/// The line at the end of a copy: `3 files, 1.2 GB in 9 s`.
struct CopySummary {
    private let files: Int
    private let bytes: UInt64
    private let resumedBytes: UInt64
    private let seconds: Double
    /// Files that are missing from the copy: counts by kind.
    private let missing: [String]
    /// Whether the line adds information: more than one thing went wrong, or some files were copied.
    let isNeeded: Bool

    init(_ outcome: CopyOutcome) {
        let result = outcome.result ?? SFTPCopyResult()
        files = outcome.result?.files ?? outcome.progress.files
        bytes = outcome.result?.bytes ?? outcome.progress.bytes
        resumedBytes = result.resumedBytes
        seconds = outcome.copySeconds
        missing = [
            (result.failureCount, "failed"), (result.leftOut, "left out"), (result.unverifiedFiles, "not verified"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        isNeeded = result.leftOut + result.unverifiedFiles > 0 || result.failureCount > (files > 0 ? 0 : 1)
    }

    var text: String {
        var text = "\(files) file\(files == 1 ? "" : "s"), \(CopyProgressLine.amount(Double(bytes))) in \(Self.time(seconds))"
        if resumedBytes > 0 { text += ", \(CopyProgressLine.amount(Double(resumedBytes))) were there already" }
        return ([text] + missing).joined(separator: "; ")
    }

    /// `0.4 s`, `9 s`, `1:12:03`.
    private static func time(_ seconds: Double) -> String {
        if seconds < 9.95 { return "\(Double((seconds * 10).rounded()) / 10) s" }
        if seconds < 59.5 { return "\(Int(seconds.rounded())) s" }
        return CopyProgressLine.clock(seconds.rounded())
    }
}
