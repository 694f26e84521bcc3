package import BridgeSSH

/// A command or a subsystem on a connection, with its three streams.
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
    ///   - waiting: called once if the command has ended and its output stays open.
    ///   - began: called when the command runs.
    ///   - ended: called when it no longer does.
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

    /// - Throws: as `SSHConnection.execute`; `OutputFailure` for standard output.
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
        } catch let lost as LostOutput {
            throw lost.verdict(on: program.text, at: connection.endpoint)
        }
    }
}
