package import ArgumentParser
package import BridgeSSH
internal import Dispatch
package import ErrorCore
package import SSHRun

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the fleet's program takes of a process: set-up, signals, terminal, messages, and its end.
package enum FleetProcess {
    package static let version = Product.version

    /// Must come before any thread is started.
    package static func prepare() {
        // ssh calls this program too, where it made the connection.
        OpenSSHQuestion.answerIfAsked()
        StandIn.runIfCalled()
        ProcessSetup.prepare()
    }

    /// Calls `body` with the names, without SIG, of signals that end a process.
    package static func watchSignals(_ body: @escaping @Sendable (String) -> Void) {
        SignalWatch.start { number in
            if number != SIGWINCH { body(SignalWatch.name(of: number)) }
        }
    }

    /// Ends the process at once.
    package static func leave(with status: ExitStatus) -> Never { SSHCommandLine.leave(with: status) }

    /// Ends the process when its work is done; what it could not write on standard output is no success.
    ///
    /// - Parameter arguments: those of the program, which say how a failure is reported.
    package static func finish(with status: ExitStatus, _ arguments: [String]) -> Never {
        leave(with: LostReport.conclude(status, ArgumentHints(arguments)))
    }

    /// Keeps the main thread, while tasks do the work.
    package static func stay() -> Never {
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// One line in bridge-ssh's own name.
    package static func note(_ text: String) { Console.note(text) }

    /// Text for a person, on standard error.
    package static func say(_ text: String) { Console.standardError(text) }

    /// Text for a program, on standard output.
    package static func output(_ text: String) { Console.standardOutput(text) }

    /// Text for a person, on standard output.
    package static func show(_ text: String) { Console.show(text) }

    /// A failure before the run begins.
    package static func show(_ error: SSHError) { FailureBanner.show(error, showsEvidence: false) }

    /// What our own texts look like on a standard descriptor.
    package static func form(of descriptor: Int32) -> (isTerminal: Bool, width: Int, color: Bool, glyphs: TerminalBanner.Glyphs) {
        let form = TerminalForm.of(descriptor)
        return (form.isTerminal, form.width, form.color, form.glyphs)
    }

    /// Whether standard error is a terminal that another program has now.
    package static var isInBackground: Bool {
        let group = tcgetpgrp(2)
        return group >= 0 && group != getpgrp()
    }

    /// The rows of the terminal; 24 where it does not say.
    package static var rows: Int { LocalTerminal.size?.rows ?? 24 }

    /// Whether standard output and standard error lead to the same place.
    package static var sharesOutput: Bool {
        var (output, error) = (stat(), stat())
        guard fstat(1, &output) == 0, fstat(2, &error) == 0 else { return false }
        return output.st_dev == error.st_dev && output.st_ino == error.st_ino
    }

    /// What this process was started with.
    package static func environment() -> LaunchEnvironment { .current() }

    /// The value of a variable; nil for an empty one.
    package static func variable(_ name: String) -> String? { LaunchEnvironment.variable(name) }

    /// Asks a person at the terminal, with an echo.
    ///
    /// - Returns: nil where no person can be asked, or gave no answer.
    package static func ask(_ prompt: String, after text: String = "") async throws -> String? {
        let answer = try await QuestionerChoice.ofThisProcess.questioner?.ask(prompt, after: text, echo: true)
        return answer?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Shows the help of the command that arguments name.
    ///
    /// - Throws: `UsageProblem` for `help` of a subcommand that there is not.
    package static func showHelp(for arguments: [String], of program: any ParsableCommand.Type) throws {
        let subject = try HelpRequest.subject(of: arguments, in: CommandDescription(ofProgram: program))
        Console.show(try HelpPage(subject, columns: LocalTerminal.width).text())
    }

    /// The manual page of a command.
    ///
    /// - Throws: `UsageProblem` for a subcommand that there is not.
    package static func manualPage(of words: [String], in program: any ParsableCommand.Type) throws -> String {
        try ManualPage(
            description: HelpRequest.subject(of: ["help"] + words, in: CommandDescription(ofProgram: program))
        ).text()
    }

    /// What is wrong with arguments that the parser has refused.
    ///
    /// - Parameters:
    ///   - message: the parser's.
    ///   - path: the command whose subcommands these should begin with.
    package static func usageProblem(
        _ message: String, of arguments: [String], after path: [String], of program: any ParsableCommand.Type
    ) -> UsageProblem {
        let parent = try? HelpRequest.subject(of: ["help"] + path, in: CommandDescription(ofProgram: program))
        let names = parent?.subcommands ?? []
        if let first = arguments.first, !first.hasPrefix("-"), first != "help", !names.contains(where: { $0.path.last == first })
        {
            let suggestion = Misspelling.suggestion(for: first, among: names)
            let all = names.compactMap(\.path.last).joined(separator: ", ")
            return UsageProblem(
                field: first,
                problem: "\(parent?.name ?? "") has no such command" + (suggestion.isEmpty ? "; there are \(all)" : suggestion))
        }
        return UsageProblem(field: "", problem: Misspelling.withSubstitute(message))
    }

    /// Asks a person for a clear yes or no.
    ///
    /// - Parameters:
    ///   - text: what the question is about.
    ///   - isSeen: whether the person can see the text on the terminal already.
    /// - Returns: nil where no person can be asked, or gave no answer.
    package static func confirm(_ question: String, after text: String, isSeen: Bool) async throws -> Bool? {
        guard let questioner = QuestionerChoice.ofThisProcess.questioner else { return nil }
        return try await questioner.ask(
            question, again: "Please type yes or no: ", after: isSeen && questioner.isTerminal ? "" : text
        ) { HostKeyAnswer($0, to: []).map { $0 == .yes } }
    }

    /// Runs a command of the local shell, which reads nothing; what it writes goes to standard error. Cancelling ends it.
    ///
    /// - Returns: its exit status, 128 and its number for a signal; nil if it could not be started.
    package static func runLocal(_ command: String) async -> Int32? {
        var program = LocalProcess("/bin/sh", ["-c", command])
        program.output = 2
        guard let process = program.start() else { return nil }
        let status = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "local-command").async {
                    LocalProcess.wait(for: process)
                    continuation.resume(returning: LocalProcess.reap(process))
                }
            }
        } onCancel: {
            DispatchQueue(label: "local-command-end").async { LocalProcess.end(process) }
        }
        return status.map { $0 & 0x7F == 0 ? ($0 >> 8) & 0xFF : 128 + ($0 & 0x7F) }
    }
}

/// Writes to the two standard outputs in the order in which it is asked to, on a thread of its own, which a reader may stall.
package final class StandardOutputs: Sendable {
    private let queue = DispatchQueue(label: "standard-outputs")

    package init() {}

    /// Returns when all is written.
    ///
    /// - Throws: `OutputFailure`.
    package func write(_ bytes: [UInt8], to descriptor: Int32) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                if let failure = bytes.withUnsafeBytes({ OutputWriter.writeAll($0, to: descriptor) }) {
                    continuation.resume(throwing: failure)
                } else {
                    continuation.resume()
                }
            }
        }
    }
}
