internal import ArgumentParser
internal import SSHCommandLine

/// Reads the arguments of the program.
enum FleetParser {
    /// - Throws: what the argument parser throws, also for help.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if isForWholeProgram(arguments) { return try BridgeSSHProgram.parseAsRoot(arguments) }
        let passesWords = FleetCommand.configuration.subcommands.contains {
            $0.configuration.commandName == arguments.first && ($0 is any PassingCommand.Type || $0 == FleetResumeCommand.self)
        }
        return try JoinedOptions.parse(arguments, passesWords: passesWords, as: FleetCommand.self) {
            ($0 as? any PassingCommand)?.words
        }
    }

    /// Completions are for all subcommands of `bridge-ssh`.
    static func isForWholeProgram(_ arguments: [String]) -> Bool {
        arguments.first.map { $0 == "---completion" || $0.hasPrefix("--generate-completion-script") } ?? false
    }
}
