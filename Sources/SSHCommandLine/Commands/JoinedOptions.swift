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
            let command = try parse(arguments, as: program)
            // What the parser did not know begins the words; behind the host everything is the command's.
            guard let words = words(command), let first = words.first, let parts = separated(first) else { return command }
            let index = arguments.count - words.count
            arguments.replaceSubrange(index...index, with: parts)
        }
    }

    /// Parses, and takes a negative number behind an option for its value: what is wrong is the number, and not that there is
    /// none.
    private static func parse(_ arguments: [String], as program: (some ParsableCommand).Type) throws -> any ParsableCommand {
        do {
            return try program.parseAsRoot(arguments)
        } catch {
            let message = program.message(for: error)
            for index in arguments.indices.dropLast() where isNegative(arguments[index + 1]) {
                let option = arguments[index]
                guard option.hasPrefix("-"),
                    ["'", " "].contains(where: { message.hasPrefix("Missing value for '\(option)\($0)") })
                else { continue }
                var joined = arguments
                joined.replaceSubrange(index...index + 1, with: ["\(option)=\(arguments[index + 1])"])
                return try parse(joined, as: program)
            }
            throw error
        }
    }

    private static func isNegative(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first.map { $0.isASCII && $0.isNumber || $0 == "." } == true
    }

    /// The option and its value; nil for anything else.
    private static func separated(_ argument: String) -> [String]? {
        guard argument.hasPrefix("-"), let letter = argument.dropFirst().first, withValues.contains(letter),
            argument.contains("="), argument.dropFirst(2).first != "="
        else { return nil }
        return [String(argument.prefix(2)), String(argument.dropFirst(2))]
    }
}
