import BridgeSSH
import Logging

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One attempt: connects, runs the command, and moves its three streams.
struct Run: Sendable {
    let plan: RunPlan
    let control: RunControl
    let log: StageLog
    let logger: Logger

    func perform(_ configuration: Configuration, _ streams: RunStreams, _ use: InputUse) async -> RunOutcome {
        let timeline = Timeline(observer: log, logger: logger)
        var outcome: RunOutcome
        do {
            let input = try RunInput(plan, use: use)
            let connection = try await SSHClient.connect(to: plan.endpoint, configuration: configuration, timeline: timeline)
            outcome = await RunOutcome(end: run(on: connection, input, streams))
            await connection.close()
        } catch {
            outcome = RunOutcome(end: end(by: error))
        }
        (outcome.standardOutput, outcome.standardError) = streams.collected
        outcome.timings = timeline.timings
        return outcome
    }

    // MARK: The command

    private func run(on connection: SSHConnection, _ input: RunInput, _ streams: RunStreams) async -> RunOutcome.End {
        var options = plan.commandOptions
        if plan.wantsTerminal { options.pty = pty() }
        do {
            let outcome = try await connection.execute(
                plan.command, options: options, standardInput: input.standardInput, standardError: .stream
            ) { execution in
                control.running(execution, hasTerminal: plan.wantsTerminal)
                if plan.wantsTerminal, input.isTerminal { _ = LocalTerminal.makeRaw() }
                defer { control.finished() }
                try await streams.move(execution, waiting: waitingNote)
            }
            return .ended(outcome.termination, outcome.error)
        } catch {
            return end(by: error)
        }
    }

    private func pty() -> PTYOptions {
        let size = LocalTerminal.size ?? (80, 24)
        var pty = PTYOptions(terminal: plan.terminalType, columns: size.columns, rows: size.rows)
        pty.modes = LocalTerminal.modes(for: plan.terminalType)
        return pty
    }

    /// What is said when the exit status has come and the output stays open; nil where nobody would read it.
    private var waitingNote: (@Sendable (Termination) -> Void)? {
        guard isatty(2) == 1, !plan.output.quiet else { return nil }
        return { termination in
            let ending = if case .exited(let status) = termination { "exited with status \(status)" } else { "ended" }
            Console.note(
                "The command has \(ending), but something that it left behind keeps its output open. Still reading; "
                    + "Ctrl-C ends this, and --drain SECONDS would.")
        }
    }

    // MARK: The end

    func end(by error: any Error) -> RunOutcome.End {
        switch error {
        case let error as SSHError: return .failed(control.named(error))
        case let problem as UsageProblem: return .failed(problem.verdict)
        case OutputWriter.Failure.closed: return .outputClosed
        case OutputWriter.Failure.system(let number):
            let problem = "it cannot be written: \(String(cString: strerror(number))); free what it goes to, or send it elsewhere"
            return .failed(UsageProblem(field: "standard output", problem: problem).verdict)
        case OutputWriter.Failure.abandoned, is CancellationError: return .cancelled(signal: control.signal)
        default: return .unforeseen("\(error)")
        }
    }
}
