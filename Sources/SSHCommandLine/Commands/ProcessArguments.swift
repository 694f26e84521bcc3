package import ArgumentParser
import BridgeSSH
import SSHRun

/// The arguments of this process, from the C runtime.
package enum ProcessArguments {
    /// All arguments without the program name. A byte that is not UTF-8 becomes a character of ``PathText``.
    package static let all: [String] = {
        let (count, vector) = ArgumentVector.raw
        guard count >= 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).compactMap { index in vector?[index].map { PathText.text(cString: $0) } }
    }()

    /// Checks that the arguments could be read. Unreadable arguments must not count as no arguments, which show the help and
    /// succeed.
    ///
    /// - Throws: `UsageProblem`, also for a word that is not UTF-8, except in commands that copy files: names of files are
    ///   bytes, and any other word is text.
    package static func check() throws {
        let (count, vector) = ArgumentVector.raw
        // Where the C library does not provide the arguments, Swift reads /proc. Linux gives a process that was started
        // without arguments one empty argument.
        let isNameless = count == 0 || (count == 1 && vector?[0]?.pointee == 0)
        guard !isNameless, count > 0 || CommandLine.argc > 0 else {
            throw UsageProblem(
                field: "arguments",
                problem: count < 0
                    ? "they cannot be read, because there is no /proc; mount it"
                    : "there are none, not even the program's own name (execve(2)); start it from a shell")
        }
        let subcommand = all.first == FleetProgram.subcommand ? all.dropFirst().first : all.first
        if let subcommand, ["copy", "fetch"].contains(subcommand) { return }
        for (index, argument) in all.enumerated()
        where argument.unicodeScalars.contains(where: { PathText.byte(of: $0) != nil }) {
            throw UsageProblem(
                field: "argument \(index + 1)", problem: "it is not UTF-8; pass such bytes through a file or standard input")
        }
    }
}

/// Separates short options from a joined value, such as `-oPort=22`: the argument parser misreads one whose value contains an
/// `=`.
package enum JoinedOptions {
    private static let withValues: Set<Character> = ["F", "J", "i", "l", "o", "p"]

    /// Parses all arguments of the program.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        // The words after the host of `run` belong to the command; no other subcommand passes arguments to another program.
        let isRun = arguments.first == RunCommand.configuration.commandName
        return try parse(arguments, passesWords: isRun, as: BridgeSSHCommand.self) { ($0 as? RunCommand)?.words }
    }

    /// - Parameters:
    ///   - passesWords: whether the subcommand passes arguments to another program.
    ///   - words: these arguments of a parsed command; nil for another command.
    package static func parse(
        _ arguments: [String], passesWords: Bool, as program: (some ParsableCommand).Type,
        words: (any ParsableCommand) -> [String]?
    ) throws -> any ParsableCommand {
        var arguments = passesWords ? arguments : arguments.flatMap { separated($0) ?? [$0] }
        while true {
            let command = try parse(arguments, as: program)
            // An option that the parser does not know is the first of the words; everything after the host belongs to the
            // command.
            guard let words = words(command), let first = words.first, let parts = separated(first) else { return command }
            let index = arguments.count - words.count
            arguments.replaceSubrange(index...index, with: parts)
        }
    }

    /// Parses the arguments, and reads a negative number after an option as its value: the error is then about the number, not
    /// about a missing value.
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
