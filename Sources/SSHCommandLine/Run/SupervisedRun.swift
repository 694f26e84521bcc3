import BridgeSSH
import ErrorCore
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A run with this process's streams, terminal and signals, and the report of how it ended.
struct SupervisedRun {
    let plan: RunCommandPlan
    let records: RunRecords

    /// The verdict on a command that was left at a server that does not answer.
    private var leftCommand: SSHError {
        var evidence = SSHEvidence(local: .cancelled(signal: nil), endpoint: plan.endpoint)
        evidence.command = SSHCommandEvidence(command: plan.run.command, ended: nil)
        evidence.command?.teardown = .channelClosed
        return SSHFailureClassifier.classify(evidence)
    }

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.output, variables: plan.variables, identities: plan.identities)
        let (plan, records) = (plan, records)
        let isSilent = plan.output.quiet || plan.output.json || isatty(2) == 0
        let saysWait: @Sendable () -> Void = {
            if !isSilent { Console.note("waiting for the command to end on the server; Ctrl-C again leaves at once") }
        }
        return await Supervision.perform(saysWait: saysWait) { control in
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
                PersistingCarrier(persistence: persistence, input: plan.input, style: plan.output)
            } else {
                ConnectingCarrier(input: input)
            }
        // An existing connection needs no secrets.
        return Run(
            plan.run, context, streams: plan.output.json ? .collecting(limit: limit) : .inherited(), carrier: carrier,
            asksFirst: plan.persistence == nil)
    }

    /// Reports that the exit status has arrived and the output stays open; nil where the note would have no reader.
    private static func waitingNote(_ style: OutputStyle) -> (@Sendable (SSHTermination) -> Void)? {
        guard isatty(2) == 1, !style.quiet else { return nil }
        return { termination in
            let ending = if case .exited(let status) = termination { "exited with status \(status)" } else { "ended" }
            Console.note(
                "The command has \(ending), but something that it left behind keeps its output open. Still reading; "
                    + "Ctrl-C ends this, and --drain SECONDS would.")
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
