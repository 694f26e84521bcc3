import BridgeSSH

/// A command on a connection, with its three streams.
struct CommandRun {
    let command: String
    let options: CommandOptions
    let input: StandardInput
    let streams: RunStreams
    /// Called once if the command has ended and its output stays open.
    let waiting: (@Sendable (Termination) -> Void)?
    /// Called when the command runs; ``ended`` when it no longer does.
    let began: (SSHExecution) -> Void
    let ended: () -> Void

    /// - Throws: as `SSHConnection.execute`; `OutputWriter.Failure` for standard output.
    func perform(on connection: SSHConnection) async throws -> RunOutcome.End {
        do {
            let outcome = try await connection.execute(
                command, options: options, standardInput: input, standardError: .stream
            ) { execution in
                began(execution)
                defer { ended() }
                try await streams.move(execution, waiting: waiting)
            }
            return .ended(outcome.termination, outcome.error)
        } catch let lost as LostOutput {
            throw lost.verdict(on: command, at: connection.endpoint)
        }
    }
}
