package import BridgeSSH

/// A usage error. It names the input and says what to write instead.
package struct UsageProblem: Error {
    package let event: SSHEvidence.Event
    /// The text for a program that has no command line, if it differs.
    private let libraryEvent: SSHEvidence.Event?
    package let stage: SSHStage
    /// The text given as the host, if that is invalid.
    package let host: String

    /// - Parameters:
    ///   - field: the option or argument; empty if the problem names it.
    ///   - problem: the error and the remedy, without a full stop at the end.
    ///   - library: the same for a caller of the library; nil if it is the same text.
    package init(field: String, problem: String, library: String? = nil) {
        self.init(
            event: .usage(field: field, problem: problem), stage: .local, host: "",
            libraryEvent: library.map { .usage(field: field, problem: $0) })
    }

    /// A signal arrived before there was a plan.
    package init(cancelledBy signal: String) {
        self.init(event: .cancelled(signal: signal), stage: .local, host: "")
    }

    private init(
        event: SSHEvidence.Event, stage: SSHStage, host: String, libraryEvent: SSHEvidence.Event? = nil
    ) {
        self.event = event
        self.libraryEvent = libraryEvent
        self.stage = stage
        self.host = host
    }

    /// An error in ssh's configuration.
    package init(_ problem: SSHConfigProblem) {
        self.init(event: problem.event, stage: .local, host: problem.refusedHost ?? "")
    }

    /// An invalid destination.
    package init(_ problem: SSHDestinationProblem) {
        if problem.concernsHostName {
            self.init(event: .hostNameInvalid(problem: problem.message), stage: .resolve, host: problem.input)
        } else {
            self.init(field: "destination", problem: problem.description)
        }
    }

    /// The verdict, in the same form as for other failures.
    package var verdict: SSHError { verdict(ofSubcommand: "run") }

    /// - Parameter subcommand: the subcommand whose help to refer to; nil if there is no command line.
    package func verdict(ofSubcommand subcommand: String?) -> SSHError {
        var evidence = SSHEvidence(local: subcommand == nil ? libraryEvent ?? event : event, stage: stage)
        evidence.host = host
        evidence.subcommand = subcommand
        return SSHFailureClassifier.classify(evidence)
    }
}
