import BridgeSSH
import SSHRun

/// What the program was called with.
package enum ProgramArguments {
    /// Without its name; a byte that is not UTF-8 is the character of ``PathText``.
    package static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
        CommandLine.unsafeArgv[index].map { PathText.text(cString: $0) }
    }

    /// Names of files are bytes. Any other word is text.
    ///
    /// - Throws: `UsageProblem` for a word that is not UTF-8 where files are not copied.
    package static func check(_ arguments: [String]) throws {
        let subcommand = arguments.first == FleetProgram.subcommand ? arguments.dropFirst().first : arguments.first
        if let subcommand, ["copy", "fetch"].contains(subcommand) { return }
        for (index, argument) in arguments.enumerated()
        where argument.unicodeScalars.contains(where: { PathText.byte(of: $0) != nil }) {
            throw UsageProblem(
                field: "argument \(index + 1)", problem: "it is not UTF-8; pass such bytes through a file or standard input")
        }
    }
}
