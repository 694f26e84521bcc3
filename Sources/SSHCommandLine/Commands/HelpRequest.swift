import SSHRun

/// Which help was asked for.
enum HelpRequest {
    /// The subcommand that the arguments name, with `help` before them or `--help` behind.
    ///
    /// - Throws: `UsageProblem` for `help` of a subcommand that there is not.
    static func subject(
        of arguments: [String], in program: CommandDescription = CommandDescription(ofProgram: BridgeSSHCommand.self)
    ) throws -> CommandDescription {
        let isCommand = arguments.first == "help"
        var subject = program
        for word in arguments.dropFirst(isCommand ? 1 : 0) {
            guard !word.hasPrefix("-") else { break }
            if let next = subject.subcommands.first(where: { $0.path.last == word }) {
                subject = next
            } else if isCommand {
                throw UsageProblem(
                    field: word,
                    problem: "\(subject.name) has no such command" + Misspelling.suggestion(for: word, among: subject.subcommands)
                )
            } else {
                break
            }
        }
        return subject
    }
}
