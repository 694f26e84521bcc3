import ErrorCore

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
