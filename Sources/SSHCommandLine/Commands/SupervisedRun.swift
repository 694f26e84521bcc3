import BridgeSSH
import ErrorCore
import Logging
import SSHRun

/// A run with this process's streams, terminal and signals, and the report of how it ended.
struct SupervisedRun {
    let plan: RunCommandPlan
    let records: RunRecords

    /// The verdict on a command that the person left running at a server that does not answer.
    private var leftCommand: SSHError {
        var evidence = SSHEvidence(local: .cancelled(signal: nil), endpoint: plan.endpoint)
        evidence.command = SSHCommandEvidence(command: plan.run.command, ended: nil)
        evidence.command?.teardown = .channelClosed
        return SSHFailureClassifier.classify(evidence)
    }

    func perform() async -> SSHExitStatus {
        let log = StageLog(style: plan.output, variables: plan.variables, identities: plan.identities)
        let (plan, records) = (plan, records)
        let showWaitNote = SignalSupervision.waitNote("waiting for the command to end on the server", plan.output)
        return await SignalSupervision.perform(showWaitNote: showWaitNote) { control in
            await Self.run(plan, RunContext(control: control, log: log, logger: records.logger)).perform()
        } unfinished: { control in
            RunOutcome(end: control.hasLeftSession ? .failed(leftCommand) : .cancelled(signal: control.signal))
        } publish: { outcome in
            await RunPublication(plan: plan, log: log, records: records).publish(outcome)
        }
    }

    private static func run(_ plan: RunCommandPlan, _ context: RunContext) -> Run {
        var context = context
        context.terminal = CommandLineTerminal()
        context.waitingNote = waitingNote(plan.output)
        let limit = plan.run.commandOptions.outputLimit
        let input: @Sendable () throws -> CommandInput = { [input = plan.input, control = context.control] in
            let input = try OpenedInput(input)
            return input.commandInput(SessionKeys(of: plan.run, at: input, control))
        }
        let carrier: any CommandCarrier =
            if plan.maker == .ssh {
                OpenSSHCarrier(route: plan.route, variables: plan.ownVariables, input: input)
            } else if let persistence = plan.persistence {
                HelperCarrier(persistence: persistence, input: plan.input, style: plan.output)
            } else {
                ConnectingCarrier(input: input)
            }
        // An existing connection needs no secrets.
        return Run(
            plan.run, context, streams: plan.output.json ? .collecting(limit: limit) : .inherited(), carrier: carrier,
            asksFirst: plan.persistence == nil)
    }

    /// Reports that the exit status has arrived and the output stays open; nil if no person would see the note.
    private static func waitingNote(_ style: OutputStyle) -> (@Sendable (SSHTermination) -> Void)? {
        guard isatty(2) == 1, !style.quiet else { return nil }
        return { termination in
            let ending = if case .exited(let status) = termination { "exited with status \(status)" } else { "ended" }
            Console.note(
                "The command has \(ending), but a process that it left behind keeps its output open. Still reading; "
                    + "press Ctrl-C to stop, or use --drain SECONDS next time.")
        }
    }
}

extension RunStreams {
    /// This process's standard output and standard error.
    static func inherited() -> RunStreams { .passing(OutputWriter(borrowing: 1), OutputWriter(borrowing: 2)) }
}

/// The terminal that this process's standard descriptors are on, if they are.
struct CommandLineTerminal: RunTerminal {
    var size: (columns: Int, rows: Int)? { LocalTerminal.size }
    func modes(for terminal: String) -> [UInt8] { LocalTerminal.modes(for: terminal) }
    func makeRaw() { _ = LocalTerminal.makeRaw() }
    func restore() { TerminalGuard.restore() }
}

/// Shows and records a run's conclusion: the JSON object or the banner, the logs, and the exit status.
struct RunPublication: Sendable {
    let plan: RunCommandPlan
    let log: StageLog
    let records: RunRecords

    private var style: OutputStyle { plan.output }

    func publish(_ outcome: RunOutcome) async -> SSHExitStatus {
        let conclusion = RunConclusion(plan.run, outcome)
        var status = await say(conclusion, outcome)
        if let problem = records.write(conclusion) {
            if !style.quiet { Console.note(problem) }
            if status == .success { status = .localFailure }
        }
        let hints = ArgumentHints(quiet: style.quiet, convention: style.convention)
        return UnwrittenOutput.conclude(status, hints, outcome.lostEvidence(plan.run))
    }

    private func say(_ conclusion: RunConclusion, _ outcome: RunOutcome) async -> SSHExitStatus {
        let status = conclusion.exitStatus(style.convention, commands: style.commands)
        switch conclusion.verdict {
        case .succeeded:
            if style.json { Console.standardOutput(report(conclusion)) }
            records.logger.info("succeeded", metadata: conclusion.metadata(status))
            records.annotate(nil, of: plan.destination)
        case .outputClosed:
            let text = "the reader of standard output has closed it"
            log.line(text)
            records.logger.info("\(text)", metadata: conclusion.metadata(status))
        case .failed(let error):
            if style.json { Console.standardOutput(report(conclusion)) }
            await publish(error, attempts: outcome.attempts, conclusion.errorValues(status))
            records.annotate(error, of: plan.destination)
            if !style.quiet, !style.json, error.exitStatus == .authenticationFailure {
                let offered = error.evidence.authentication?.methodsOffered ?? []
                for missing in plan.access.missingMethods where offered.contains(missing.method) { Console.note(missing.text) }
            }
        }
        if !style.quiet, !style.json {
            if let note = plan.run.sudo?.note { Console.note(note) }
            if outcome.shell != nil { Console.note(Self.shellNote) }
            if plan.run.shell != nil, plan.input.hasUnreadBytes { Console.note(Self.inputNote) }
            for complaint in await records.complaints() { Console.note(TerminalText.escape(complaint)) }
        }
        return status
    }

    private static let shellNote =
        "The exit status of the command is unknown: the device accepted it and showed its prompt again (--shell)."

    private static let inputNote = "piped input is not passed to the device: with --shell only the command is typed"

    private func report(_ conclusion: RunConclusion) -> JSONValue {
        var report = conclusion.report
        report.destination = plan.destination
        report.via = plan.maker.rawValue
        return report.json
    }

    private func publish(_ error: SSHError, attempts: Int, _ values: ErrorMetadata) async {
        await records.record(error, values: values)
        if records.shows(error) {
            FailureBanner.show(error, attempts: attempts, showsEvidence: style.verbosity > 1)
        } else if !style.json {
            log.line("\(error.code): \(error.message)")
            if let cause = error.cause {
                log.line("cause: \(cause.message)")
                if !error.remedy.isEmpty { log.line("remedy: \(error.remedy)") }
            }
        }
    }
}

extension RunOutcome {
    /// The evidence about a command whose JSON object could not be written.
    fileprivate func lostEvidence(_ plan: RunPlan) -> SSHEvidence {
        if case .failed(let error) = end { return error.evidence }
        var evidence = SSHEvidence(local: .commandEnded, endpoint: plan.endpoint)
        if case .ended(let termination, _) = end {
            evidence.command = SSHCommandEvidence(command: plan.command, ended: termination)
        }
        return evidence
    }
}
