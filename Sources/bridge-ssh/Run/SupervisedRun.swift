import BridgeSSH

/// A run from beginning to end, with signal handling and the report.
struct SupervisedRun {
    let plan: RunPlan
    let records: RunRecords

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.output)
        let conclusion = RunConclusion(plan: plan, log: log, records: records)
        return await RunControl.supervise { control in
            await RetriedRun(run: Run(plan: plan, control: control, log: log, logger: records.logger)).perform()
        } unfinished: { control in
            RunOutcome(end: .cancelled(signal: control.signal))
        } publish: {
            await conclusion.publish($0)
        }
    }
}
