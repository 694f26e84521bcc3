import CProcessGuard
import SSHRun

/// What this process was called with, as the C runtime has it.
package enum ProcessArguments {
    /// Without the program's own name; bytes that are not UTF-8 are replaced, which ``check()`` refuses.
    package static let all: [String] = {
        let (count, vector) = raw
        guard count >= 0 else { return Array(CommandLine.arguments.dropFirst()) }
        return (1..<max(1, count)).compactMap { index in vector?[index].map { String(cString: $0) } }
    }()

    /// Arguments that cannot be read must not be taken for none: without any, help is shown, and that is a success.
    ///
    /// - Throws: `UsageProblem`.
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
        // Swift would silently repair invalid UTF-8, and another command would run than the one requested.
        for index in 1..<max(1, count) {
            guard let argument = vector?[index], String(validatingCString: argument) == nil else { continue }
            throw UsageProblem(
                field: "argument \(index)", problem: "it is not UTF-8; pass such bytes through a file or standard input")
        }
    }

    private static var raw: (count: Int, vector: UnsafePointer<UnsafeMutablePointer<CChar>?>?) {
        var count: Int32 = 0
        let vector = bridge_arguments(&count)
        return (Int(count), vector)
    }
}
