import BridgeSSH

extension RunControl {
    /// Runs work that signals cancel, and reports its outcome, with the terminal restored.
    ///
    /// - Parameters:
    ///   - unfinished: the outcome of work that a signal cannot cancel, because it waits in a system call.
    ///   - publish: reports the outcome.
    /// - Returns: the exit status.
    static func supervise<Outcome: Sendable>(
        _ work: @escaping @Sendable (RunControl) async -> Outcome,
        unfinished: @escaping @Sendable (RunControl) -> Outcome,
        publish: @escaping @Sendable (Outcome) async -> ExitStatus
    ) async -> ExitStatus {
        let control = RunControl()
        control.attach(giveUp: {
            guard LastWord.take() else { return }
            // The executors may be what is blocked.
            Task(executorPreference: SpareExecutor()) { leave(with: await publish(unfinished(control))) }
        })
        SignalWatch.start { control.received($0) }
        let task = Task(executorPreference: OneLoop.executor) { await work(control) }
        control.attach(cancel: { task.cancel() })
        let outcome = await task.value
        LastWord.takeOrStay()
        control.concludes()
        TerminalGuard.restore()
        return await publish(outcome)
    }

    /// The verdict on what ended a subcommand early.
    func verdict(on error: any Error, at endpoint: Endpoint, of subcommand: Subcommand) -> SSHError {
        switch error {
        case let error as SSHError: return named(error)
        case let problem as UsageProblem: return problem.verdict(of: subcommand)
        case let problem as KnownHostsProblem: return problem.verdict
        default:
            let event: Evidence.Event =
                error is CancellationError ? .cancelled(signal: signal) : .internalFailure(problem: "\(error)")
            return FailureClassifier.classify(Evidence(local: event, endpoint: endpoint))
        }
    }
}
