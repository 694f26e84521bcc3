import ArgumentParser
import BridgeSSH
import ErrorCore

/// `bridge-ssh codes`: every failure code.
struct CodesCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "codes", abstract: "List every failure code with its exit status and meaning.",
            discussion: """
                `bridge-ssh explain CODE` says more of one.

                EXAMPLES
                  bridge-ssh codes
                  bridge-ssh codes --json | jq -r '.[].code'

                EXIT STATUS
                  0    the list was written
                  199  wrong usage
                """)
    }

    @Flag(help: "Write one JSON array with all that is known of each code.")
    var json = false

    @Flag(help: "Write the table of docs/FAILURES.md.")
    var markdown = false

    func run() throws {
        if json, markdown { throw UsageProblem(field: "--markdown", problem: "give --json or --markdown, not both") }
        if json {
            Console.standardOutput(JSONValue.array(CodeExplanation.all.map(\.json)))
        } else if markdown {
            Console.standardOutput(FailureDocument.markdown)
        } else {
            let width = CodeExplanation.all.map(\.row.code.rawValue.count).max() ?? 0
            let lines = CodeExplanation.all.map { explanation in
                let code = explanation.row.code.rawValue
                return code + String(repeating: " ", count: width - code.count) + "  \(explanation.row.exitStatus)  "
                    + explanation.row.meaning
            }
            Console.show(lines.joined(separator: "\n") + "\n")
        }
    }
}
