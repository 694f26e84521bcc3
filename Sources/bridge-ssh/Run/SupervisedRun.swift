import BridgeSSH

/// A run from beginning to end, with signal handling and the report.
struct SupervisedRun {
    let plan: RunPlan
    let records: RunRecords

    /// The verdict on a command that was left at a server that does not answer.
    private var leftCommand: SSHError {
        var evidence = Evidence(local: .cancelled(signal: nil), endpoint: plan.endpoint)
        evidence.command = CommandEvidence(command: plan.command, ended: nil)
        evidence.command?.teardown = .channelClosed
        return FailureClassifier.classify(evidence)
    }

    func perform() async -> ExitStatus {
        let log = StageLog(style: plan.output)
        let conclusion = RunConclusion(plan: plan, log: log, records: records)
        return await RunControl.supervise { control in
            await RetriedRun(run: Run(plan: plan, control: control, log: log, logger: records.logger)).perform()
        } unfinished: { control in
            RunOutcome(end: control.hasLeftSession ? .failed(leftCommand) : .cancelled(signal: control.signal))
        } publish: {
            await conclusion.publish($0)
        }
    }
}
