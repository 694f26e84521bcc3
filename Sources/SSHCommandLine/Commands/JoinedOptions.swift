package import ArgumentParser

/// Short options with their value joined to them, such as `-oPort=22`: the argument parser takes one whose value holds an `=`
/// for something else.
package enum JoinedOptions {
    private static let withValues: Set<Character> = ["F", "J", "i", "l", "o", "p"]

    /// Parses all arguments of the program.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        // What follows the host of `run` is the command's; no other subcommand leaves arguments to another program.
        let isRun = arguments.first == RunCommand.configuration.commandName
        return try parse(arguments, passesWords: isRun, as: BridgeSSHCommand.self) { ($0 as? RunCommand)?.words }
    }

    /// - Parameters:
    ///   - passesWords: whether the subcommand leaves arguments to another program.
    ///   - words: these arguments of a parsed command; nil for another command.
    package static func parse(
        _ arguments: [String], passesWords: Bool, as program: (some ParsableCommand).Type,
        words: (any ParsableCommand) -> [String]?
    ) throws -> any ParsableCommand {
        var arguments = passesWords ? arguments : arguments.flatMap { separated($0) ?? [$0] }
        while true {
            let command = try program.parseAsRoot(arguments)
            // What the parser did not know begins the words; behind the host everything is the command's.
            guard let words = words(command), let first = words.first, let parts = separated(first) else { return command }
            let index = arguments.count - words.count
            arguments.replaceSubrange(index...index, with: parts)
        }
    }

    /// The option and its value; nil for anything else.
    private static func separated(_ argument: String) -> [String]? {
        guard argument.hasPrefix("-"), let letter = argument.dropFirst().first, withValues.contains(letter),
            argument.contains("="), argument.dropFirst(2).first != "="
        else { return nil }
        return [String(argument.prefix(2)), String(argument.dropFirst(2))]
    }
}
