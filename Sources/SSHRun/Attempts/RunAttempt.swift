package import BridgeSSH

/// One attempt of a run, for a carrier.
package struct RunAttempt: Sendable {
    package let plan: RunPlan
    package let context: RunContext
    package let access: ResolvedAccess
    /// The streams for this attempt's output.
    package let streams: RunStreams
    /// Records whether input was read that no other attempt could read again.
    package let inputUse: InputUse
    /// The secrets of all attempts: a server may print in one attempt a secret from an earlier one.
    package let secrets: KnownSecrets

    package init(
        plan: RunPlan, context: RunContext, access: ResolvedAccess, streams: RunStreams, inputUse: InputUse = InputUse(),
        secrets: KnownSecrets = KnownSecrets()
    ) {
        self.plan = plan
        self.context = context
        self.access = access
        self.streams = streams
        self.inputUse = inputUse
        self.secrets = secrets
    }

    package var control: RunControl { context.control }

    /// A timeline for a connection. It reports to the run's log.
    package func timeline() -> Timeline { Timeline(observer: context.log, logger: context.logger, secrets: secrets) }

    /// The command's options, with the present size of the terminal.
    package var commandOptions: SSHCommandOptions {
        var options = plan.commandOptions
        guard plan.wantsTerminal else { return options }
        let size = context.terminal?.size ?? (80, 24)
        var pty = SSHPTYOptions(terminal: plan.terminalType, columns: size.columns, rows: size.rows)
        pty.modes = context.terminal?.modes(for: plan.terminalType) ?? []
        options.pty = pty
        return options
    }

    /// Called when the command has started.
    package func began(_ command: any ControlledCommand, inputIsTerminal: Bool) {
        control.running(command, hasTerminal: plan.wantsTerminal)
        if plan.wantsTerminal, inputIsTerminal { context.terminal?.makeRaw() }
    }

    package func end(by error: any Error) -> RunOutcome.End { context.control.end(of: error) }
}

extension RunAttempt {
    /// Runs the command as root, over a connection that is not this process's own.
    ///
    /// - Parameter carry: runs a command line with this input and these streams.
    /// - Throws: what `carry` throws.
    package func performAsRoot(
        _ sudo: RunSudo, _ input: CommandInput,
        by carry: (_ command: String, CommandInput, RunStreams) async throws -> RunOutcome.End
    ) async throws -> RunOutcome.End {
        let sinks = StreamSinks(streams)
        let reader = RunInput(input, wantsTerminal: false, use: inputUse).reader
        let conversation = SudoConversation(
            sudo, password: sudo.password, secrets, input: reader ?? { nil }, to: sinks.error,
            isThrough: { [control] in control.isAtSudo(false) })
        control.isAtSudo(true)
        return try await conversation.perform(at: plan.endpoint) { conversation in
            // The reader of the input notes how much was read.
            let input = CommandInput(
                next: { try await conversation.nextInput() }, isRepeatable: true, isTerminal: input.isTerminal)
            return try await carry(conversation.command(plan.command), input, .passing(sinks.output, conversation))
        }
    }
}

extension RunControl {
    /// The outcome for an error that ended the run.
    package func end(of error: any Error) -> RunOutcome.End { named(RunOutcome.End(error, signal: signal)) }

    /// The outcome with the name of the signal that ended the run, if one did.
    package func named(_ end: RunOutcome.End) -> RunOutcome.End {
        switch end {
        case .failed(let error): .failed(named(error))
        case .cancelled(nil): .cancelled(signal: signal)
        default: end
        }
    }
}

/// Carries one attempt of a run to its host and back: over its own connection, over a kept connection of another process, or, in
/// a simulation, over none.
package protocol CommandCarrier: Sendable {
    func perform(_ attempt: RunAttempt) async -> RunOutcome
}

/// Carries an attempt over a new connection, which is closed afterwards.
package struct ConnectingCarrier: CommandCarrier {
    private let input: @Sendable () throws -> CommandInput

    /// - Parameter input: opens the command's input. Called once per attempt.
    package init(input: @escaping @Sendable () throws -> CommandInput = { .none }) {
        self.input = input
    }

    package func perform(_ attempt: RunAttempt) async -> RunOutcome {
        let timeline = attempt.timeline()
        attempt.control.isConnected(false)
        var outcome: RunOutcome
        do {
            let input = try input()
            let login = HostLogin(attempt.plan.access, attempt.access, attempt.context)
            let connection = try await login.connect(timeline) { [plan = attempt.plan] in plan.keepAlive(&$0) }
            let postQuantum = await connection.session.postQuantumOffer
            if let shell = attempt.plan.shell {
                let run = ShellRun(
                    attempt.plan.command, shell, attempt.plan.commandOptions, streams: attempt.streams,
                    clock: attempt.context.clock, control: attempt.control
                ) { attempt.began($0, inputIsTerminal: false) }
                let (end, evidence) = await run.perform(on: connection)
                outcome = RunOutcome(end: end)
                outcome.shell = evidence
            } else {
                outcome = await RunOutcome(end: run(attempt, on: connection, input))
            }
            await connection.close()
            outcome.hostKeyUpdate = connection.hostKeyUpdate
            outcome.postQuantum = postQuantum
        } catch {
            outcome = RunOutcome(end: attempt.end(by: error))
        }
        (outcome.standardOutput, outcome.standardError) = attempt.streams.collected
        outcome.timings = timeline.timings
        return outcome
    }

    private func run(_ attempt: RunAttempt, on connection: SSHConnection, _ input: CommandInput) async -> RunOutcome.End {
        let runInput = RunInput(input, wantsTerminal: attempt.plan.wantsTerminal, use: attempt.inputUse)
        do {
            if let sudo = attempt.plan.sudo {
                return try await runAsRoot(attempt, sudo, on: connection, input, runInput)
            }
            let command = CommandRun(
                .command(attempt.plan.command), options: attempt.commandOptions, input: runInput.standardInput,
                streams: attempt.streams, clock: attempt.context.clock, waiting: attempt.context.waitingNote,
                began: { attempt.began($0, inputIsTerminal: input.isTerminal) }, ended: { attempt.control.finished() })
            return try await command.perform(on: connection)
        } catch {
            return attempt.end(by: error)
        }
    }

    private func runAsRoot(
        _ attempt: RunAttempt, _ sudo: RunSudo, on connection: SSHConnection, _ input: CommandInput, _ runInput: RunInput
    ) async throws -> RunOutcome.End {
        let sinks = StreamSinks(attempt.streams)
        let conversation = SudoConversation(
            sudo, password: sudo.password, attempt.secrets, input: runInput.reader ?? { nil }, to: sinks.error,
            isThrough: { attempt.control.isAtSudo(false) })
        return try await conversation.perform(at: connection.endpoint) { conversation in
            let command = CommandRun(
                .command(conversation.command(attempt.plan.command)), options: attempt.commandOptions,
                input: conversation.standardInput, streams: .passing(sinks.output, conversation), clock: attempt.context.clock,
                waiting: attempt.context.waitingNote,
                began: {
                    sinks.attach(to: $0)
                    attempt.control.isAtSudo(true)
                    attempt.began($0, inputIsTerminal: input.isTerminal)
                }, ended: { attempt.control.finished() })
            return try await command.perform(on: connection)
        }
    }
}

/// A command or subsystem on a connection, with its three streams.
package struct CommandRun {
    private let program: ChannelProgram
    private let options: SSHCommandOptions
    private let input: SSHStandardInput
    private let streams: RunStreams
    private let clock: any Clock<Duration>
    private let waiting: (@Sendable (SSHTermination) -> Void)?
    private let began: (SSHExecution) -> Void
    private let ended: () -> Void

    /// - Parameters:
    ///   - waiting: called once, if the command has ended but its output stays open.
    ///   - began: called when the command has started.
    ///   - ended: called when the command has ended.
    package init(
        _ program: ChannelProgram, options: SSHCommandOptions, input: SSHStandardInput, streams: RunStreams,
        clock: any Clock<Duration> = ContinuousClock(), waiting: (@Sendable (SSHTermination) -> Void)?,
        began: @escaping (SSHExecution) -> Void, ended: @escaping () -> Void
    ) {
        self.program = program
        self.options = options
        self.input = input
        self.streams = streams
        self.clock = clock
        self.waiting = waiting
        self.began = began
        self.ended = ended
    }

    /// - Throws: as `SSHConnection.execute`; `OutputFailure` if standard output fails.
    package func perform(on connection: SSHConnection) async throws -> RunOutcome.End {
        do {
            let outcome = try await connection.execute(
                program, options: options, standardInput: input, standardError: .stream, whenBodyReturns: .wait
            ) { execution in
                began(execution)
                defer { ended() }
                try await streams.move(execution, clock: clock, waiting: waiting)
            }
            return .ended(outcome.termination, outcome.error)
        } catch let lost as UnwritableOutput {
            throw lost.verdict(on: program.text, at: connection.endpoint)
        }
    }
}

/// Connects to a host and authenticates, for a run or a copy.
package struct HostLogin: Sendable {
    private let endpoint: SSHEndpoint
    private let access: ResolvedAccess
    private let context: RunContext

    package init(_ plan: AccessPlan, _ access: ResolvedAccess, _ context: RunContext) {
        endpoint = plan.endpoint
        self.access = access
        self.context = context
    }

    /// Connects. The caller closes the connection.
    ///
    /// - Parameters:
    ///   - timeline: records the connection, even if connecting fails.
    ///   - adjust: changes the complete configuration.
    /// - Throws: `SSHError`; `UsageProblem` for a secret that cannot be read; errors from prompting.
    package func connect(
        _ timeline: Timeline, adjust: @Sendable (inout SSHConnectionConfiguration) -> Void = { _ in }
    ) async throws -> SSHConnection {
        context.control.isConnected(false)
        var configuration = try await access.configuration()
        adjust(&configuration)
        let connection = try await context.connect(endpoint, configuration, timeline)
        // From here on, remote work must be ended in order.
        context.control.isConnected(true)
        return connection
    }
}

/// Runs a command by typing it into a device's shell.
package struct ShellRun {
    private let command: String
    private let shell: SSHShellOptions
    private let options: SSHCommandOptions
    private let streams: RunStreams
    private let clock: any Clock<Duration>
    private let control: RunControl
    private let began: (SSHExecution) -> Void

    /// - Parameters:
    ///   - control: ends the run; the outcome of an error is its answer.
    ///   - began: called when the shell has started.
    package init(
        _ command: String, _ shell: SSHShellOptions, _ options: SSHCommandOptions, streams: RunStreams,
        clock: any Clock<Duration> = ContinuousClock(), control: RunControl, began: @escaping (SSHExecution) -> Void
    ) {
        self.command = command
        self.shell = shell
        self.options = options
        self.streams = streams
        self.clock = clock
        self.control = control
        self.began = began
    }

    /// - Returns: how it ended, and the known facts about the shell.
    package func perform(on connection: SSHConnection) async -> (RunOutcome.End, SSHShellEvidence?) {
        let sinks = StreamSinks(streams)
        do {
            let evidence = try await connection.inShell(command, shell, options) {
                sinks.attach(to: $0)
                began($0)
                defer { control.finished() }
                let sink = ShellSink($1, sinks.output)
                try await RunStreams.passing(sink, sinks.error).move($0, clock: clock, waiting: nil)
                try await sink.end()
            }
            return (.ended(.unknown, nil), evidence)
        } catch let lost as UnwritableOutput {
            return (.failed(lost.verdict(on: command, at: connection.endpoint)), nil)
        } catch {
            return (control.end(of: error), nil)
        }
    }
}

/// Filters standard output: removes the parts that belong to the dialogue with the shell.
private struct ShellSink: OutputSink {
    private let dialogue: ShellDialogue
    private let inner: any OutputSink

    init(_ dialogue: ShellDialogue, _ inner: any OutputSink) {
        self.dialogue = dialogue
        self.inner = inner
    }

    func write(_ chunk: SSHOutputChunk) async throws { try await pass(dialogue.take(chunk)) }

    /// Passes on the text that was held back, after the shell has ended.
    func end() async throws {
        let rest = dialogue.end()
        do { try await pass(rest) } catch OutputFailure.abandoned {}
    }

    private func pass(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await inner.write(SSHOutputChunk(copying: bytes, stream: .standardOutput))
    }

    func abandon() { inner.abandon() }
    var isAbandoned: Bool { inner.isAbandoned }
    var idleTime: Duration? { inner.idleTime }
}
