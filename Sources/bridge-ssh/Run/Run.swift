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
    /// The secrets of all attempts: a server may print at the next one what it received at the last.
    let secrets = KnownSecrets()

    func perform(_ access: CompletedAccess, _ streams: RunStreams, _ use: InputUse) async -> RunOutcome {
        let timeline = Timeline(observer: log, logger: logger, secrets: secrets)
        var outcome: RunOutcome
        control.isConnected(false)
        do {
            let source = try RunInputSource(plan.input)
            if let outcome = try await PersistedRun(run: self, access: access, source: source, use: use)?.perform() {
                return outcome
            }
            let configuration = plan.keepingAlive(try await access.configuration())
            let connection = try await SSHClient.connect(to: plan.endpoint, configuration: configuration, timeline: timeline)
            control.isConnected(true)
            outcome = await RunOutcome(end: run(on: connection, source, streams, use))
            await connection.close()
        } catch {
            outcome = RunOutcome(end: end(by: error))
        }
        (outcome.standardOutput, outcome.standardError) = streams.collected
        outcome.timings = timeline.timings
        return outcome
    }

    // MARK: The command

    private func run(
        on connection: SSHConnection, _ source: RunInputSource, _ streams: RunStreams, _ use: InputUse
    ) async -> RunOutcome.End {
        let input = RunInput(
            source.reader, isRepeatable: source.isRepeatable, isTerminal: source.isTerminal, wantsTerminal: plan.wantsTerminal,
            use: use, keys: sessionKeys(source))
        let command = CommandRun(
            command: plan.command, options: commandOptions, input: input.standardInput, streams: streams, waiting: waitingNote,
            began: { began($0, source) }, ended: { control.finished() })
        do {
            return try await command.perform(on: connection)
        } catch {
            return end(by: error)
        }
    }

    /// The command runs.
    func began(_ command: any ControlledCommand, _ source: RunInputSource) {
        control.running(command, hasTerminal: plan.wantsTerminal)
        if plan.wantsTerminal, source.isTerminal { _ = LocalTerminal.makeRaw() }
    }

    /// For a person's terminal session; else nil.
    func sessionKeys(_ source: RunInputSource) -> SessionKeys? {
        guard plan.wantsTerminal, source.isTerminal else { return nil }
        return SessionKeys(character: plan.escapeCharacter, control: control)
    }

    var commandOptions: CommandOptions {
        var options = plan.commandOptions
        if plan.wantsTerminal { options.pty = pty() }
        return options
    }

    private func pty() -> PTYOptions {
        let size = LocalTerminal.size ?? (80, 24)
        var pty = PTYOptions(terminal: plan.terminalType, columns: size.columns, rows: size.rows)
        pty.modes = LocalTerminal.modes(for: plan.terminalType)
        return pty
    }

    /// Reports that the exit status has arrived and the output stays open; nil where the note would have no reader.
    var waitingNote: (@Sendable (Termination) -> Void)? {
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
        RunOutcome.End(error, signal: control.signal).named(by: control)
    }
}
