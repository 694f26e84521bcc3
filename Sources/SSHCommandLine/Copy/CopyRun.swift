import BridgeSSH
import ErrorCore
import Logging
import SSHRun
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A copy from beginning to end, with signal handling and the report.
struct SupervisedCopy: Sendable {
    let plan: CopyPlan
    let records: RunRecords

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.run.output, identities: plan.run.identities)
        let conclusion = CopyConclusion(
            plan: plan, log: log, records: records, isWatched: CopyProgressBar(style: plan.run.output).isShown)
        let isSilent = plan.run.output.quiet || plan.run.output.json || isatty(2) == 0
        let saysWait: @Sendable () -> Void = {
            if !isSilent { Console.note("removing what is unfinished; Ctrl-C again leaves at once") }
        }
        return await Supervision.perform(saysWait: saysWait) { control in
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
        // Secrets are asked for once, however many attempts there are.
        let hosts = CopyHosts(
            target: CompletedAccess(plan: plan.run.access, log: context.log),
            source: plan.sourceRun.map { CompletedAccess(plan: $0.access, log: context.log) })
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
            // It is in the outcome.
        } catch {
            // Only a delay, or work before the first attempt, is cancelled like this.
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
        let copying = Copying(bar: bar, finished: finished) { result in kept.withLock { $0 = result } }
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

    /// Lends a client for a host, over a connection that is kept, or one of its own.
    private func withSFTP(
        _ run: RunCommandPlan, _ access: CompletedAccess, _ context: RunContext, _ timeline: Timeline,
        _ body: @Sendable (SFTPClient) async throws -> SFTPCopyResult
    ) async throws -> SFTPCopyResult {
        if run.maker == .ssh {
            context.control.isConnected(false)
            let attempt = RunAttempt(plan: run.run, context: context, access: access, streams: .collecting(limit: 0))
            return try await OpenSSHSFTP(attempt: attempt, route: run.route).perform(timeline, body)
        }
        if let persistence = run.persistence {
            context.control.isConnected(false)
            let attempt = RunAttempt(plan: run.run, context: context, access: access, streams: .collecting(limit: 0))
            let kept = KeptSFTP(attempt: attempt, persistence: persistence, style: run.output)
            if let result = try await kept.perform(timeline, body) { return result }
        }
        let connection = try await HostLogin(run.access, access, context).connect(timeline) { configuration in
            configuration.keepAliveForCopy(run.access)
        }
        do {
            let result: SFTPCopyResult
            if let sudo = run.run.sudo {
                let root = SudoSFTP(on: connection, timeline, sudo, password: sudo.password)
                result = try await root.withClient { try await body($0) }
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

    private func copy(over sftp: SFTPClient, from source: SFTPClient?, _ copying: Copying) async throws -> SFTPCopyResult {
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

    /// A person who watches the progress sees why it stands still.
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

/// What accompanies an attempt to copy.
private struct Copying: Sendable {
    let bar: CopyProgressBar
    /// The files that earlier attempts have copied; nil without a second attempt.
    let finished: SFTPFinishedFiles?
    /// Gets what was copied when the attempt fails.
    let interrupted: @Sendable (SFTPCopyResult) -> Void
}

/// How to log in to the host of the copies, and of a relay to that of the sources.
private struct CopyHosts: Sendable {
    let target: CompletedAccess
    let source: CompletedAccess?

    func beginAttempt() async {
        await target.beginAttempt()
        await source?.beginAttempt()
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
    static func failureObject(_ error: SSHError, _: ArgumentHints) -> JSONValue {
        CopyReport(error: error).json
    }
}
