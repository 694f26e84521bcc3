import BridgeSSH
import SSHRun

/// Carries an attempt to its host by OpenSSH's ssh.
struct OpenSSHCarrier: CommandCarrier {
    let route: OpenSSHRoute
    /// The variables that were asked for by an option.
    let variables: [(name: String, value: String)]
    /// Opens the command's input, once for each attempt.
    let input: @Sendable () throws -> CommandInput

    func perform(_ attempt: RunAttempt) async -> RunOutcome {
        attempt.control.isConnected(false)
        let timeline = attempt.timeline()
        var outcome: RunOutcome
        do {
            let call = OpenSSHCall(
                route: route, request: .command(attempt.plan.command, variables), timeline: timeline, control: attempt.control,
                log: attempt.context.log, options: attempt.plan.commandOptions,
                credentials: try await attempt.access.configuration().credentials, known: attempt.secrets)
            let streams = OpenSSHCall.Streams(output: attempt.streams, input: try input(), use: attempt.inputUse)
            outcome = RunOutcome(end: attempt.control.named(await call.perform(streams)))
        } catch {
            outcome = RunOutcome(end: attempt.end(by: error))
        }
        (outcome.standardOutput, outcome.standardError) = attempt.streams.collected
        outcome.timings = timeline.timings
        return outcome
    }
}
