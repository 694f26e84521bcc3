import BridgeSSH

/// Reports wrong usage: the banner, and the JSON object if one was requested.
struct UsageReport {
    let problem: UsageProblem
    let hints: ArgumentHints

    /// Takes the last word.
    func publish() -> ExitStatus {
        LastWord.takeOrStay()
        return say()
    }

    func say() -> ExitStatus {
        let verdict = problem.verdict(of: hints.subcommand)
        if hints.json, hints.subcommand == .doctor {
            let diagnosis = Diagnosis(endpoint: Endpoint(unchecked: "", user: ""), findings: [], error: verdict)
            Console.standardOutput(diagnosis.json(hints.convention))
        } else if hints.json, hints.subcommand == .trust {
            let outcome = TrustOutcome(endpoint: Endpoint(unchecked: "", port: 0, user: ""), error: verdict)
            Console.standardOutput(outcome.json(hints.convention))
        } else if hints.json, hints.subcommand == .copy {
            Console.standardOutput(CopyReport(error: verdict).json)
        } else if hints.json {
            var report = RunReport(host: "", port: 22, user: "", command: "")
            report.take(verdict)
            Console.standardOutput(report.json)
        }
        if !hints.quiet, !hints.json { FailureBanner.show(verdict, showsEvidence: false) }
        return verdict.exitStatus(hints.convention)
    }
}
