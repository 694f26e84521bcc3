import BridgeSSH
import CProcessGuard
import SSHRun

/// What this process was called with, as the C runtime has it.
package enum ProcessArguments {
    /// Without the program's own name; a byte that is not UTF-8 is the character of ``PathText``.
    package static let all: [String] = {
        let (count, vector) = raw
        guard count >= 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).compactMap { index in vector?[index].map { PathText.text(cString: $0) } }
    }()

    /// Arguments that cannot be read must not be taken for none: without any, help is shown, and that is a success.
    ///
    /// - Throws: `UsageProblem`; also for a word that is not UTF-8 where files are not copied: names of files are bytes, and any other
    ///   word is text.
    package static func check() throws {
        let (count, vector) = raw
        // Where the C library does not tell, Swift reads /proc.
        // Linux gives a process that is started without any an empty one.
        let isNameless = count == 0 || (count == 1 && vector?[0]?.pointee == 0)
        guard !isNameless, count > 0 || CommandLine.argc > 0 else {
            throw UsageProblem(
                field: "arguments",
                problem: count < 0
                    ? "they cannot be read, because there is no /proc; mount it"
                    : "there are none, not even the program's own name (execve(2)); start it by a shell")
        }
        let subcommand = all.first == FleetProgram.subcommand ? all.dropFirst().first : all.first
        if let subcommand, ["copy", "fetch"].contains(subcommand) { return }
        for (index, argument) in all.enumerated()
        where argument.unicodeScalars.contains(where: { PathText.byte(of: $0) != nil }) {
            throw UsageProblem(
                field: "argument \(index + 1)", problem: "it is not UTF-8; pass such bytes through a file or standard input")
        }
    }

    private static var raw: (count: Int, vector: UnsafePointer<UnsafeMutablePointer<CChar>?>?) {
        var count: Int32 = 0
        let vector = bridge_arguments(&count)
        return (Int(count), vector)
    }
}
