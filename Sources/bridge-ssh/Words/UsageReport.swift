import BridgeSSH

/// Tells of wrong usage: the banner, and the JSON object where one was asked for.
struct UsageReport {
    let problem: UsageProblem
    let hints: ArgumentHints

    func publish() -> ExitStatus {
        let verdict = problem.verdict
        if hints.json {
            var report = RunReport(host: "", port: 22, user: "", command: "")
            report.take(verdict)
            Console.standardOutput(report.line + [UInt8(ascii: "\n")])
        }
        if !hints.quiet, !hints.json { FailureBanner.show(verdict, showsEvidence: false) }
        return verdict.exitStatus(hints.convention)
    }
}
