import BridgeSSH
import Dispatch
import SSHRun

/// Handles signals until a command installs its own handler, and for commands that install none. Reading the configuration, and
/// running its programs, may take any length of time.
enum EarlySignals {
    /// The time limit for writing the final message when nothing reads it.
    private static let timeLimit = DispatchTimeInterval.milliseconds(900)

    /// - Parameter arguments: the command line, which selects the form of the report.
    static func watch(_ arguments: [String]) {
        SignalWatch.start { number in
            guard number != SIGWINCH else { return }
            let status = SSHExitStatus(rawValue: 128 + number)
            // A second signal, or one during the final message.
            guard FinalReportClaim.take() else { leave(with: status) }
            DispatchQueue(label: "time limit").asyncAfter(deadline: .now() + timeLimit) { leave(with: status) }
            DispatchQueue(label: "last-words").async {
                let problem = UsageProblem(cancelledBy: SignalWatch.name(of: number))
                let hints = ArgumentHints(arguments)
                leave(with: UsageReport(problem: problem, hints: hints, object: hints.subcommand.failureObject).say())
            }
        }
    }
}

extension Subcommand {
    /// The JSON object for a failure before the subcommand starts. Subcommands without their own object use that of `run`.
    var failureObject: UsageReport.Object {
        switch self {
        case .doctor: DoctorCommand.failureObject
        case .trust: TrustCommand.failureObject
        case .copy: CopyCommand.failureObject
        default: UsageReport.runObject
        }
    }
}
