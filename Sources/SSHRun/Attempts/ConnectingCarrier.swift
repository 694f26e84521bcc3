internal import BridgeSSH

/// Carries an attempt over a connection that is made for it and closed after it.
package struct ConnectingCarrier: CommandCarrier {
    private let input: @Sendable () throws -> CommandInput

    /// - Parameter input: opens the command's input, once for each attempt.
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
            outcome = await RunOutcome(end: run(attempt, on: connection, input))
            await connection.close()
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
            sudo, password: sudo.password, attempt.secrets, input: runInput.reader ?? { nil }, to: sinks.error)
        return try await conversation.perform(on: connection) { conversation in
            let command = CommandRun(
                .command(conversation.command(attempt.plan.command)), options: attempt.commandOptions,
                input: conversation.standardInput, streams: .passing(sinks.output, conversation), clock: attempt.context.clock,
                waiting: attempt.context.waitingNote,
                began: {
                    sinks.belong(to: $0)
                    attempt.began($0, inputIsTerminal: input.isTerminal)
                }, ended: { attempt.control.finished() })
            return try await command.perform(on: connection)
        }
    }
}
