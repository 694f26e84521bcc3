import ErrorCore

/// Everything about one failure code: its definition and its rules.
package struct CodeExplanation: Sendable {
    /// A rule for the code.
    package struct Rule: Sendable, Hashable {
        /// The confidence of its verdict.
        package let confidence: SSHError.Confidence
        /// The source that connects this evidence to this cause.
        package let source: String

        /// The documents in the source. They may be a subset of another rule's.
        fileprivate var documents: Set<Substring> { Set(source.split(separator: "; ")) }
    }

    package let code: SSHError.Code
    package let definition: FailureDefinition
    /// The rules for the code, the most certain first, without duplicates.
    package let rules: [Rule]

    /// The explanation of a code; nil for a code that this version does not know.
    package init?(_ code: SSHError.Code) {
        guard SSHError.Code.known.contains(code) else { return nil }
        self.code = code
        definition = FailureCatalogue.definition(of: code)
        var seen: Set<Rule> = []
        let found = SSHFailureClassifier.allRules.filter { $0.code == code }
            .map { Rule(confidence: $0.confidence, source: $0.source) }.filter { seen.insert($0).inserted }
        rules = SSHError.Confidence.allCases.flatMap { confidence in
            let rules = found.filter { $0.confidence == confidence }
            return rules.filter { rule in !rules.contains { $0.documents.isStrictSuperset(of: rule.documents) } }
        }
    }

    /// The explanations of all codes, in the order of the stages of a run.
    package static var all: [CodeExplanation] { SSHError.Code.known.compactMap { CodeExplanation($0) } }

    /// The code's object in the machine-readable table.
    package var json: JSONValue {
        .members([
            "code": .string(code.rawValue), "title": .string(definition.title), "meaning": .string(definition.meaning),
            "stage": .string(code.stage.rawValue), "category": .string(definition.category.rawValue),
            "severity": .string(definition.severity.rawValue), "case": .string(definition.appCase.caseName),
            "retry": .string(definition.retry.name), "exitStatus": .integer(Int(definition.exitStatus.rawValue)),
            "remedy": .string(definition.remedy.commandLine), "remedies": definition.remedy.json,
            "example": .string(definition.example),
            "evidence": .array(
                rules.map { .members(["confidence": .string($0.confidence.rawValue), "source": .string($0.source)]) }),
        ])
    }
}

extension SSHExitStatus {
    /// The meaning of a status of bridge-ssh; nil for a remote command's.
    package var meaning: String? {
        switch self {
        case .success: "The command succeeded, and all of its output arrived."
        case .fileFailure:
            "The remote command's own; with --exit-status strict: the remote command failed; of copy: a file could not be copied; with "
                + "several hosts: their outcomes differ."
        case .hungUp: "bridge-ssh or the remote command was ended by SIGHUP."
        case .cancelled: "Cancelled, or bridge-ssh or the remote command was ended by SIGINT."
        case .quit: "bridge-ssh or the remote command was ended by SIGQUIT."
        case .outputClosed: "The reader of standard output closed it (128 + SIGPIPE)."
        case .stopped:
            "A fleet run was stopped early: by a rule of --stop, by a person, or because its journal or its files could not be written."
        case .terminated: "bridge-ssh or the remote command was ended by SIGTERM."
        case .unreachable: "The host could not be reached."
        case .timedOut: "A deadline passed."
        case .protocolFailure: "The other side does not speak SSH, violates it, or shares no algorithm."
        case .hostKeyFailure: "The host key is unknown, changed, revoked or not proven."
        case .authenticationFailure: "Authentication failed, or the agent did."
        case .sessionFailure: "The session was refused or lost, or the command's outcome is unknown."
        case .localFailure: "Wrong usage or configuration, a key file that cannot be used, or output that cannot be written."
        case .unclassified:
            "Unclassified failure (a bug; please report it); with --exit-codes ssh every failure that is not the command's."
        default: nil
        }
    }

    /// The codes with this exit status when no remote status came.
    package var codes: [SSHError.Code] { SSHError.Code.known.filter { FailureCatalogue.definition(of: $0).exitStatus == self } }
}

/// Writes docs/FAILURES.md from the definitions and the rules, for `bridge-ssh codes --markdown`.
package enum FailureDocument {
    /// The complete document.
    package static var markdown: String {
        var text = """
            # Failure codes

            Written by `bridge-ssh codes --markdown`; a test fails when it differs from the code. The exit status is that of a \
            run without a remote status; a remote status that came is passed on.

            ## Exit statuses

            | status | meaning |
            |---|---|
            """
        for status in statuses { text += "\n| \(status) | \(cell(status.meaning ?? "")) |" }
        for stage in SSHStage.allCases {
            let explanations = CodeExplanation.all.filter { $0.code.stage == stage }
            guard !explanations.isEmpty else { continue }
            text += "\n\n## \(stage.rawValue)\n\n| code | meaning | evidence | remedy | retry | exit |\n|---|---|---|---|---|---|"
            for explanation in explanations { text += "\n" + line(explanation) }
        }
        return text + "\n"
    }

    /// The exit statuses of bridge-ssh, in order.
    package static let statuses: [SSHExitStatus] = [
        .success, .fileFailure, .hungUp, .cancelled, .terminated, .unreachable, .timedOut, .protocolFailure, .hostKeyFailure,
        .authenticationFailure, .sessionFailure, .localFailure, .unclassified,
    ]

    private static func line(_ explanation: CodeExplanation) -> String {
        let evidence = explanation.rules.map { "\($0.source) (\($0.confidence.rawValue))" }.joined(separator: "; ")
        let definition = explanation.definition
        let cells = [
            "`\(explanation.code)`", cell("\(definition.meaning) For instance: \(definition.example)"), cell(evidence),
            cell(definition.remedy.commandLine), definition.retry.name, "\(definition.exitStatus)",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
