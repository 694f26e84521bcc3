import BridgeSSH
import ErrorCore
import Logging
import SSHRun
import Synchronization

/// How a copy ended, before it is reported.
struct CopyOutcome: Sendable {
    var result: SFTPCopyResult?
    /// The error that ended it before everything was tried.
    var error: SSHError?
    var progress = SFTPProgress()
    var timings = StageTimings()
    var durationSeconds = 0.0
}

/// A copy from beginning to end, with signal handling and the report.
struct SupervisedCopy: Sendable {
    let plan: CopyPlan
    let records: RunRecords

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.run.output)
        let conclusion = CopyConclusion(plan: plan, log: log, records: records)
        return await Supervision.perform { control in
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
        let timeline = Timeline(observer: context.log, logger: context.logger)
        var outcome = CopyOutcome()
        let kept = Mutex<SFTPCopyResult?>(nil)
        do {
            let access = CompletedAccess(plan: plan.run.access, log: context.log)
            let connection = try await HostLogin(plan.run.access, access, context).connect(timeline) { configuration in
                if !plan.keepsStill { configuration.keepalive = configuration.keepalive ?? CopyPlan.keepalive }
            }
            do {
                outcome.result = try await copy(over: connection, bar) { result in kept.withLock { $0 = result } }
            } catch {
                outcome.result = kept.withLock { $0 }
                outcome.error = self.error(context.control.end(of: error), copied: outcome.result)
            }
            await connection.close()
        } catch {
            outcome.error = self.error(context.control.end(of: error))
        }
        outcome.progress = bar.progress
        outcome.timings = timeline.timings
        outcome.durationSeconds = start.duration(to: .now).inSeconds
        return outcome
    }

    private func copy(
        over connection: SSHConnection, _ bar: CopyProgressBar, interrupted: @escaping @Sendable (SFTPCopyResult) -> Void
    ) async throws -> SFTPCopyResult {
        var options = plan.options
        options.interrupted = interrupted
        options.progress = { bar.update($0) }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bar.run() }
            defer { group.cancelAll() }
            return try await connection.withSFTP { [plan, options] sftp in
                plan.isUpload
                    ? try await sftp.upload(plan.sources, to: plan.destination, options: options)
                    : try await sftp.download(plan.sources, to: plan.destination, options: options)
            }
        }
    }

    private func left(_ copied: SFTPCopyResult?) -> CopyEvidence {
        CopyEvidence(
            files: copied?.files ?? 0, resumes: plan.options.resumes, partialFiles: copied?.partialFiles ?? [])
    }

    /// - Parameter copied: the progress of the copy; nil if it had not started.
    private func error(_ end: RunOutcome.End, copied: SFTPCopyResult? = nil) -> SSHError {
        let event: Evidence.Event
        switch end {
        case .failed(let error):
            // An error that ended the connection before the copy did does not describe the copy.
            guard error.evidence.copy == nil, error.category != .file else { return error }
            var evidence = error.evidence
            evidence.copy = left(copied)
            return FailureClassifier.classify(evidence)
        case .cancelled(let signal): event = .cancelled(signal: signal)
        case .unforeseen(let problem): event = .internalFailure(problem: problem)
        case .ended, .outputClosed: event = .internalFailure(problem: "a copy ended as a command")
        }
        var evidence = Evidence(local: event, endpoint: plan.run.endpoint)
        evidence.copy = left(copied)
        return FailureClassifier.classify(evidence)
    }
}

extension CopyCommand {
    /// Copies; every failure has been reported when this returns.
    func perform() async -> ExitStatus {
        let launchEnvironment = LaunchEnvironment.current()
        let style = output.output.style
        var records = RunRecords(style: style)
        do {
            records = try RunRecords(self.records, home: launchEnvironment.home, style: style)
            let plan = try CopyPlan(self, launchEnvironment: launchEnvironment)
            return await SupervisedCopy(plan: plan, records: records).perform()
        } catch {
            let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)")
            _ = await records.handle(problem.verdict(of: .copy))
            let hints = ArgumentHints(.copy, json: output.json, quiet: output.quiet, convention: style.convention)
            return UsageReport(problem: problem, hints: hints, object: Self.failureObject).publish()
        }
    }

    /// The JSON object of a failure before anything was copied.
    static func failureObject(_ error: SSHError, _ convention: ExitStatus.Convention) -> JSONValue {
        CopyReport(error: error).json
    }
}
