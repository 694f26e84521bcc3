import ErrorCore

/// docs/FAILURES.md, from the tables: what `bridge-ssh codes --markdown` writes.
package enum FailureDocument {
    /// The whole document.
    package static var markdown: String {
        var text = """
            # Every failure by its name

            Written by `bridge-ssh codes --markdown`; a test fails when it differs from the code. The exit status is the one \
            without a remote status: one that came is passed on, whatever the verdict says of it.

            ## Exit statuses

            | status | meaning |
            |---|---|
            """
        for status in statuses { text += "\n| \(status) | \(cell(status.meaning ?? "")) |" }
        for stage in Stage.allCases {
            let explanations = CodeExplanation.all.filter { $0.row.stage == stage }
            guard !explanations.isEmpty else { continue }
            text += "\n\n## \(stage.rawValue)\n\n| code | meaning | evidence | remedy | retry | exit |\n|---|---|---|---|---|---|"
            for explanation in explanations { text += "\n" + line(explanation) }
        }
        return text + "\n"
    }

    /// Our own statuses, in order.
    package static let statuses: [ExitStatus] = [
        .success, .fileFailure, .hungUp, .cancelled, .terminated, .unreachable, .timedOut, .protocolFailure, .hostKeyFailure,
        .authenticationFailure, .sessionFailure, .localFailure, .unclassified,
    ]

    private static func line(_ explanation: CodeExplanation) -> String {
        let evidence = explanation.tellings.map { "\($0.source) (\($0.confidence.rawValue))" }.joined(separator: "; ")
        let row = explanation.row
        let cells = [
            "`\(row.code)`", cell("\(row.meaning) For instance: \(explanation.advice.example)"), cell(evidence),
            cell(explanation.advice.remedy), row.retry.name, "\(row.exitStatus)",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
