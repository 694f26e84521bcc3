import ArgumentParser
import BridgeSSH
import ErrorCore
import SSHRun

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
                  199  wrong usage, or an unknown code
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

/// The answer to `explain`.
enum Explanation {
    case code(CodeExplanation)
    case status(StatusExplanation)

    /// Looks up the code or status that the person typed.
    ///
    /// - Throws: `UsageProblem`, naming similar words.
    static func of(_ subject: String) throws -> Explanation {
        if let number = Int32(subject) {
            guard (0...255).contains(number) else {
                throw UsageProblem(field: "status", problem: "\(number) is not an exit status; give a number from 0 to 255")
            }
            return .status(StatusExplanation(status: SSHExitStatus(rawValue: number)))
        }
        let name = subject.hasPrefix("ssh.") ? subject : "ssh." + subject
        if let explanation = CodeExplanation(SSHError.Code(rawValue: name)) { return .code(explanation) }
        let near = SimilarNames.of(name, among: SSHError.Code.known.map(\.rawValue))
        let advice = near.isEmpty ? "`bridge-ssh codes` lists them" : "did you mean \(near.joined(separator: " or "))?"
        throw UsageProblem(field: "code", problem: "unknown code \"\(subject)\"; \(advice)")
    }

    var json: JSONValue {
        switch self {
        case .code(let explanation): explanation.json
        case .status(let explanation): explanation.json
        }
    }

    var text: String {
        switch self {
        case .code(let explanation): Self.text(of: explanation)
        case .status(let explanation): explanation.text
        }
    }

    /// Folds lines to this width. Continuation lines keep the line's indentation.
    static func folded(_ text: String, width: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            let margin = String(line.prefix { $0 == " " })
            let space = max(20, width - margin.count)
            return TerminalText.fold(String(line.dropFirst(margin.count)), width: space).map { $0.isEmpty ? "" : margin + $0 }
        }.joined(separator: "\n")
    }

    private static func text(of explanation: CodeExplanation) -> String {
        let definition = explanation.definition
        let rules = explanation.rules.map { "  \($0.confidence.rawValue): \($0.source)" }.joined(separator: "\n")
        return """
            \(explanation.code): \(definition.title)
            \(definition.meaning)

            What to do
              \(definition.remedy.commandLine)
            For instance
              \(definition.example)
            Evidence
            \(rules)

            stage \(explanation.code.stage.rawValue), severity \(definition.severity.rawValue), retry \(definition.retry.name), \
            exit status \(definition.exitStatus), AppError.\(definition.appCase.caseName)

            """
    }
}

/// The meaning of one exit status of `run`.
struct StatusExplanation {
    let status: SSHExitStatus

    /// The codes with this exit status.
    var codes: [SSHError.Code] { status.codes }

    /// The meaning as bridge-ssh's own status, if there is one, then as the remote command's status.
    var meaning: String {
        guard let own = status.meaning else { return remote }
        // The statuses from 193 to 199 are bridge-ssh's own unless --json says that one is remote.
        return status == .success ? own : "\(own) As the remote command's own status (--json shows which it is): \(remote)"
    }

    private var remote: String {
        switch status.rawValue {
        case 0: return "success."
        case 75:
            return
                "From a shard of `bridge-ssh fleet run --plan`: it was interrupted, another copy of it runs, or its files cannot be "
                + "written; start it again. From a remote command: see its documentation."
        case 126: return "The shell found the command but could not run it: ssh.command.not-executable."
        case 127: return "The shell did not find the command: ssh.command.not-found."
        case 128: return "The remote command was killed by a signal without a known number: ssh.command.killed-by-signal."
        case 129...159:
            let number = Int(status.rawValue) - 128
            guard let name = SSHExitSignal.name(ofNumber: number) else { break }
            return
                "128 + \(number): the remote command was killed by SIG\(name) (ssh.command.killed-by-signal), or its shell reports "
                + "that for a program that it ran."
        default: break
        }
        return "The remote command itself exited with \(status): see its documentation."
    }

    var json: JSONValue {
        .members([
            "exitStatus": .integer(Int(status.rawValue)), "meaning": .string(meaning),
            "codes": .array(codes.map { .string($0.rawValue) }),
        ])
    }

    var text: String {
        let width = codes.map(\.rawValue.count).max() ?? 0
        let lines = codes.map { code in
            "  \(code.rawValue)\(String(repeating: " ", count: width - code.rawValue.count))  \(code.meaning)\n"
        }
        return "Exit status \(status)\n\(meaning)\n" + (lines.isEmpty ? "" : "\nCodes that end with it\n" + lines.joined())
    }
}
