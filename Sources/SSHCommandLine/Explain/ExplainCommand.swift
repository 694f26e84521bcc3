import ArgumentParser
import BridgeSSH
import ErrorCore

/// `bridge-ssh explain`: what a failure code or an exit status means.
struct ExplainCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "explain", abstract: "Say what a failure code or an exit status means, and what to do.",
            discussion: """
                A code may be given without its `ssh.`.

                EXAMPLES
                  bridge-ssh explain ssh.auth.key-rejected
                  bridge-ssh explain 197
                  bridge-ssh explain 137

                EXIT STATUS
                  0    the code or status was explained
                  199  wrong usage, or there is no such code
                """)
    }

    @Argument(
        help: ArgumentHelp("A code, such as ssh.auth.key-rejected, or an exit status from 0 to 255.", valueName: "code"),
        completion: .explained)
    var subject: String

    @Flag(help: "Write one JSON object.")
    var json = false

    func run() throws {
        let answer = try Explanation.of(subject)
        if json {
            Console.standardOutput(answer.json)
        } else {
            Console.show(Explanation.folded(answer.text, width: TerminalForm.of(1).width))
        }
    }
}
