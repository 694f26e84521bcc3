import BridgeSSH
import SSHRun

/// Carries an attempt over a connection that a helper keeps, or is started to keep; over one of its own where no helper is to be
/// had.
struct PersistingCarrier: CommandCarrier {
    let persistence: Persistence
    let input: InputSource
    let style: OutputStyle

    func perform(_ attempt: RunAttempt) async -> RunOutcome {
        attempt.control.isConnected(false)
        do {
            let source = try OpenedInput(input)
            let errand = CommandErrand(attempt, source, style)
            let kept = PersistedRun(run: attempt, errand: errand, style: style, persistence: persistence)
            if let outcome = try await kept.perform() { return outcome }
            let keys = SessionKeys(of: attempt.plan, at: source, attempt.control)
            return await ConnectingCarrier(input: { source.commandInput(keys) }).perform(attempt)
        } catch {
            return RunOutcome(end: attempt.end(by: error))
        }
    }
}
