import ErrorCore

/// Everything about one failure code: the catalogue's row, and the messages of the rules that produce it.
package struct CodeExplanation: Sendable {
    /// One way in which the failure is reported.
    package struct Telling: Sendable, Hashable {
        /// How certain the verdict is.
        package let confidence: SSHError.Confidence
        /// The source that says that this evidence means this cause.
        package let source: String
    }

    /// The row of the catalogue.
    package let row: FailureCatalogue.Row
    /// The remedy, and an example.
    package let advice: FailureCatalogue.Advice
    /// The messages of the code's rules, the most certain first, each once.
    package let tellings: [Telling]

    /// The explanation of a code; nil for one that this version does not know.
    package init?(_ code: SSHError.Code) {
        guard SSHError.Code.known.contains(code), let advice = FailureCatalogue.advice(code) else { return nil }
        row = FailureCatalogue.row(code)
        self.advice = advice
        var seen: Set<Telling> = []
        let told = FailureClassifier.allRules.filter { $0.code == code }
            .map { Telling(confidence: $0.confidence, source: $0.source) }.filter { seen.insert($0).inserted }
        let order = SSHError.Confidence.allCases
        tellings = order.flatMap { confidence in told.filter { $0.confidence == confidence } }
    }

    /// Every code's, in the order of a run.
    package static var all: [CodeExplanation] { SSHError.Code.known.compactMap { CodeExplanation($0) } }

    /// One object of the machine-readable table.
    package var json: JSONValue {
        .members([
            "code": .string(row.code.rawValue), "title": .string(row.title), "meaning": .string(row.meaning),
            "stage": .string(row.stage.rawValue), "category": .string(row.category.rawValue),
            "severity": .string(row.severity.rawValue), "case": .string(row.appCase.rawValue),
            "retry": .string(row.retry.name), "exitStatus": .integer(Int(row.exitStatus.rawValue)),
            "remedy": .string(advice.remedy), "example": .string(advice.example),
            "evidence": .array(
                tellings.map { .members(["confidence": .string($0.confidence.rawValue), "source": .string($0.source)]) }),
        ])
    }
}

extension ExitStatus {
    /// The meanings of our own statuses; nil for those of remote commands.
    package var meaning: String? {
        switch self {
        case .success: "The command succeeded, and all of its output came."
        case .fileFailure:
            "The remote command's own; of copy: a file could not be copied; with several hosts: they did not end alike."
        case .hungUp: "We were hung up on (SIGHUP), or the remote command was killed by it."
        case .cancelled: "Cancelled by SIGINT, or the remote command was killed by it."
        case .quit: "We were ended by SIGQUIT, or the remote command was."
        case .terminated: "We were terminated (SIGTERM), or the remote command was."
        case .unreachable: "The host could not be reached."
        case .timedOut: "Something took longer than its deadline."
        case .protocolFailure: "The other side does not speak SSH, or nothing that both understand."
        case .hostKeyFailure: "The host key is unknown, changed, revoked or not proven."
        case .authenticationFailure: "The server refused who we are, or the agent failed."
        case .sessionFailure: "The session was refused or lost, or the command's outcome is unknown."
        case .localFailure: "Wrong usage or configuration, a key file that cannot be used, or output that cannot be written."
        case .unclassified:
            "A failure without a name: a defect; with --exit-codes ssh, or from ssh itself, every failure of SSH's own."
        default: nil
        }
    }

    /// The codes that end with this status when no remote status came.
    package var codes: [SSHError.Code] { FailureCatalogue.rows.filter { $0.exitStatus == self }.map(\.code) }
}
