package import BridgeSSH
import SSHRun

extension UsageProblem {
    /// - Parameter subcommand: whose help to point to.
    func verdict(of subcommand: Subcommand) -> SSHError { verdict(ofSubcommand: subcommand.rawValue) }
}

extension SSHKnownHostsProblem {
    package var verdict: SSHError {
        UsageProblem(field: "known_hosts", problem: "\(message) \(remedy)").verdict(of: .trust)
    }
}

extension RunControl {
    /// The verdict on what ended a subcommand early.
    func verdict(on error: any Error, at endpoint: SSHEndpoint, of subcommand: Subcommand) -> SSHError {
        switch error {
        case let error as SSHError: return named(error)
        case let problem as UsageProblem: return problem.verdict(of: subcommand)
        case let problem as SSHKnownHostsProblem: return problem.verdict
        default:
            let event: SSHEvidence.Event =
                error is CancellationError ? .cancelled(signal: signal) : .internalFailure(problem: "\(error)")
            return SSHFailureClassifier.classify(SSHEvidence(local: event, endpoint: endpoint))
        }
    }
}
