import BridgeSSH

/// Says the last word on a run: the JSON object or the banner, and the exit status.
struct RunConclusion {
    let plan: RunPlan
    let log: StageLog

    /// 128 + SIGPIPE, as of any filter whose reader went away: nobody is told, because nobody reads.
    private static let outputClosed = ExitStatus(rawValue: 141)

    func publish(_ outcome: RunOutcome) -> ExitStatus {
        switch outcome.end {
        case .ended(let termination, let error):
            if plan.output.json { Console.standardOutput(line(outcome, error)) }
            tell(termination, error)
            return error?.exitStatus(plan.output.convention) ?? .success
        case .failed(let error):
            return publish(error, outcome)
        case .outputClosed:
            log.line("nobody reads standard output any more")
            return plan.output.convention == .ssh ? .unclassified : Self.outputClosed
        case .cancelled(let signal):
            return publish(verdict(.cancelled(signal: signal)), outcome)
        case .unforeseen(let problem):
            return publish(verdict(.internalFailure(problem: problem)), outcome)
        }
    }

    private func publish(_ error: SSHError, _ outcome: RunOutcome) -> ExitStatus {
        if plan.output.json {
            Console.standardOutput(line(outcome, error))
        } else if !plan.output.quiet {
            FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1)
        }
        return error.exitStatus(plan.output.convention)
    }

    /// A remote status speaks for itself; a lost one does not.
    private func tell(_ termination: Termination, _ error: SSHError?) {
        guard let error, !plan.output.json, !plan.output.quiet else { return }
        if termination == .unknown || plan.output.verbosity > 1 {
            FailureBanner.show(error, showsEvidence: plan.output.verbosity > 1)
        } else if plan.output.verbosity > 0 {
            log.line("\(error.code): \(error.message)")
            if let cause = error.cause { log.line("cause: \(cause.message)") }
        }
    }

    private func verdict(_ event: Evidence.Event) -> SSHError {
        var evidence = Evidence(
            event: event, stage: .local, host: plan.endpoint.host, port: plan.endpoint.port, user: plan.endpoint.user)
        evidence.libraryVersion = Library.version
        return FailureClassifier.classify(evidence)
    }

    private func line(_ outcome: RunOutcome, _ error: SSHError?) -> [UInt8] {
        var report = RunReport(
            host: plan.endpoint.host, port: plan.endpoint.port, user: plan.endpoint.user, command: plan.command)
        if case .ended(let termination, _) = outcome.end {
            switch termination {
            case .exited(let status): report.exitStatus = status
            case .signalled(let signal): report.exitSignal = signal.name
            case .unknown: break
            }
        }
        if let error { report.take(error) }
        report.standardOutput = outcome.standardOutput
        report.standardError = outcome.standardError
        report.durationSeconds = outcome.durationSeconds
        report.timings = RunReport.Timings(outcome.timings)
        return report.line + [UInt8(ascii: "\n")]
    }
}

extension RunReport.Timings {
    init(_ timings: StageTimings) {
        self.init()
        resolve = timings.resolve
        connect = timings.connect
        banner = timings.banner
        keyExchange = timings.keyExchange
        authentication = timings.authentication
        channel = timings.channel
        command = timings.command
    }
}
