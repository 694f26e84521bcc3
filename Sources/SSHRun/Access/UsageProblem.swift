package import BridgeSSH

/// A usage error: names the input and says what to write instead.
package struct UsageProblem: Error {
    package let event: SSHEvidence.Event
    package let stage: SSHStage
    /// What was given as the host, where that is what is wrong.
    package let host: String

    /// - Parameters:
    ///   - field: the option or argument; empty where the problem names it.
    ///   - problem: what is wrong and the remedy, without a period at the end.
    package init(field: String, problem: String) {
        self.init(event: .usage(field: field, problem: problem), stage: .local, host: "")
    }

    /// A signal came before there was a plan.
    package init(cancelledBy signal: String) {
        self.init(event: .cancelled(signal: signal), stage: .local, host: "")
    }

    private init(event: SSHEvidence.Event, stage: SSHStage, host: String) {
        self.event = event
        self.stage = stage
        self.host = host
    }

    /// A configuration of ssh's that is wrong.
    package init(_ problem: SSHConfigProblem) {
        self.init(event: problem.event, stage: .local, host: problem.refusedHost ?? "")
    }

    /// A destination that cannot be one.
    package init(_ problem: SSHDestinationProblem) {
        if problem.concernsHostName {
            self.init(event: .hostNameInvalid(problem: problem.message), stage: .resolve, host: problem.input)
        } else {
            self.init(field: "destination", problem: problem.description)
        }
    }

    /// The verdict, as for any other failure.
    package var verdict: SSHError { verdict(ofSubcommand: "run") }

    /// - Parameter subcommand: whose help to point to; nil where there is no command line.
    package func verdict(ofSubcommand subcommand: String?) -> SSHError {
        var evidence = SSHEvidence(local: event, stage: stage)
        evidence.host = host
        evidence.subcommand = subcommand
        return SSHFailureClassifier.classify(evidence)
    }
}
