import BridgeSSH

extension RunControl {
    /// Does what signals cancel, and leaves the terminal as it was.
    static func supervise<Outcome: Sendable>(
        _ work: @escaping @Sendable (RunControl) async -> Outcome
    ) async -> Outcome {
        let control = RunControl()
        SignalWatch.start { control.received($0) }
        let task = Task(executorPreference: OneLoop.executor) { await work(control) }
        control.attach { task.cancel() }
        let outcome = await task.value
        TerminalGuard.restore()
        return outcome
    }

    /// The verdict on what ended a subcommand before its time.
    func verdict(on error: any Error, at endpoint: Endpoint, of subcommand: Subcommand) -> SSHError {
        switch error {
        case let error as SSHError: return named(error)
        case let problem as UsageProblem: return problem.verdict(of: subcommand)
        case let problem as KnownHostsProblem: return problem.verdict
        default:
            let event: Evidence.Event =
                error is CancellationError ? .cancelled(signal: signal) : .internalFailure(problem: "\(error)")
            var evidence = Evidence(
                event: event, stage: .local, host: endpoint.host, port: endpoint.port, user: endpoint.user)
            evidence.libraryVersion = Library.version
            return FailureClassifier.classify(evidence)
        }
    }
}
