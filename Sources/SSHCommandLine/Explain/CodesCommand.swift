import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun

/// `bridge-ssh codes`: every failure code.
struct CodesCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "codes", abstract: "List every failure code with its exit status and meaning.",
            discussion: """
                `bridge-ssh explain CODE` explains one.

                EXAMPLES
                  bridge-ssh codes
                  bridge-ssh codes --json | jq -r '.[].code'

                EXIT STATUS
                  0    the list was written
                  199  wrong usage
                """)
    }

    @Flag(help: "Write one JSON array with everything about each code.")
    var json = false

    @Flag(help: "Write the table of docs/FAILURES.md.")
    var markdown = false

    @Flag(help: "Write the message catalogue of systemd's journal, for the entries of --log journald.")
    var journalCatalog = false

    func run() throws {
        if [json, markdown, journalCatalog].count(where: { $0 }) > 1 {
            throw UsageProblem(
                field: markdown ? "--markdown" : "--journal-catalog",
                problem: "give one of --json, --markdown and --journal-catalog")
        }
        if journalCatalog {
            Console.standardOutput(SystemJournalCatalogue.text)
        } else if json {
            Console.standardOutput(JSONValue.array(CodeExplanation.all.map(\.json)))
        } else if markdown {
            Console.standardOutput(FailureDocument.markdown)
        } else {
            let width = CodeExplanation.all.map(\.code.rawValue.count).max() ?? 0
            let lines = CodeExplanation.all.map { explanation in
                let code = explanation.code.rawValue
                return code + String(repeating: " ", count: width - code.count) + "  \(explanation.definition.exitStatus)  "
                    + explanation.definition.meaning
            }
            Console.show(lines.joined(separator: "\n") + "\n")
        }
    }
}
