import BridgeSSH
import SSHRun

/// Reports wrong usage: the banner, and the JSON object if one was requested.
struct UsageReport {
    /// A subcommand's JSON object for a failure before it has begun.
    typealias Object = (SSHError, ArgumentHints) -> JSONValue

    let problem: UsageProblem
    let hints: ArgumentHints
    let object: Object

    /// - Parameter object: the subcommand's; that of `run` unless it is given.
    init(problem: UsageProblem, hints: ArgumentHints, object: @escaping Object = UsageReport.runObject) {
        self.problem = problem
        self.hints = hints
        self.object = object
    }

    static func runObject(_ error: SSHError, _ hints: ArgumentHints) -> JSONValue {
        var report = RunReport(host: "", port: 22, user: "", command: "", destination: hints.destination)
        report.via = hints.via
        report.take(error)
        return report.json
    }

    /// Takes the last word.
    func publish() -> ExitStatus {
        LastWord.takeOrStay()
        return say()
    }

    func say() -> ExitStatus {
        let verdict = problem.verdict(of: hints.subcommand)
        if hints.json {
            Console.standardOutput(object(verdict, hints))
        } else if !hints.quiet {
            FailureBanner.show(verdict, showsEvidence: false)
        }
        return verdict.exitStatus(hints.convention)
    }
}
