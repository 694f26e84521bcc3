import BridgeSSH

/// A run from beginning to end, with signals, and with the last word said.
struct SupervisedRun {
    let plan: RunPlan
    let records: RunRecords

    func perform() async -> ExitStatus {
        let control = RunControl()
        SignalWatch.start { control.received($0) }
        let log = StageLog(style: plan.output)
        let run = RetriedRun(run: Run(plan: plan, control: control, log: log, logger: records.logger))
        let work = Task(executorPreference: OneLoop.executor) { await run.perform() }
        control.attach { work.cancel() }
        let outcome = await work.value
        TerminalGuard.restore()
        return await RunConclusion(plan: plan, log: log, records: records).publish(outcome)
    }
}
