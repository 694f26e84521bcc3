package import ArgumentParser
package import BridgeSSH
internal import Dispatch
import ErrorCore
package import SSHRun

/// The process functions that the fleet program uses: set-up, signals, terminal, messages, and exit.
package enum FleetProcess {
    package static let version = Product.version

    /// Must come before any thread is started.
    package static func prepare() {
        // With --via ssh, ssh calls this program for the answers to its questions.
        OpenSSHQuestion.answerIfAsked()
        StandIn.runIfCalled()
        ProcessSetup.prepare()
    }

    /// Checks that the process may open the descriptors that a run needs besides those of its hosts.
    ///
    /// - Throws: `UsageProblem`.
    package static func checkLimits() throws { try ProcessSetup.checkLimits(openFiles: 64) }

    /// Calls `body` with the names, without SIG, of signals that end a process.
    package static func watchSignals(_ body: @escaping @Sendable (String) -> Void) {
        SignalWatch.start { number in
            if number != SIGWINCH { body(SignalWatch.name(of: number)) }
        }
    }

    /// Ends the process at once.
    package static func leave(with status: SSHExitStatus) -> Never { SSHCommandLine.leave(with: status) }

    /// Ends the process when its work is done. Output that could not be written to standard output is a failure.
    ///
    /// - Parameter arguments: the program's arguments, which select how a failure is reported.
    package static func finish(with status: SSHExitStatus, _ arguments: [String]) -> Never {
        leave(with: UnwrittenOutput.conclude(status, ArgumentHints(arguments)))
    }

    /// Keeps the main thread alive while tasks do the work.
    package static func stay() -> Never {
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// Writes one line in bridge-ssh's name to standard error.
    package static func note(_ text: String) { Console.note(text) }

    /// Writes text for a person to standard error.
    package static func say(_ text: String) { Console.standardError(text) }

    /// Writes text for a program to standard output.
    package static func output(_ text: String) { Console.standardOutput(text) }

    /// Writes text for a person to standard output.
    package static func show(_ text: String) { Console.show(text) }

    /// Shows a failure before the run starts.
    package static func show(_ error: SSHError) { FailureBanner.show(error, showsEvidence: false) }

    /// Writes a failure before the run starts to standard output, as the object that `run --json` writes.
    package static func showJSON(of error: SSHError) { Console.standardOutput(UsageReport.runObject(error, ArgumentHints())) }

    /// Whether standard error is a terminal whose foreground is another program's.
    package static var isInBackground: Bool {
        let group = tcgetpgrp(2)
        return group >= 0 && group != getpgrp()
    }

    /// The rows of the terminal; 24 if unknown.
    package static var rows: Int { LocalTerminal.size?.rows ?? 24 }

    /// The environment of this process.
    package static func environment() -> LaunchEnvironment { .current() }

    /// The value of a variable; nil for an empty one.
    package static func variable(_ name: String) -> String? { LaunchEnvironment.variable(name) }

    /// Asks a person at the terminal, with an echo.
    ///
    /// - Returns: nil if no person can be asked, or the person gave no answer.
    package static func ask(_ prompt: String, after text: String = "") async throws -> String? {
        let answer = try await QuestionerChoice.ofThisProcess.questioner?.ask(prompt, after: text, echo: true)
        return answer?.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Shows the help of the command that the arguments name.
    ///
    /// - Throws: `UsageProblem` for `help` of an unknown subcommand.
    package static func showHelp(for arguments: [String], of program: any ParsableCommand.Type) throws {
        let subject = try HelpRequest.subject(of: arguments, in: CommandDescription(ofProgram: program))
        Console.show(try HelpPage(subject, columns: LocalTerminal.width).text())
    }

    /// The manual page of a command.
    ///
    /// - Throws: `UsageProblem` for an unknown subcommand.
    package static func manualPage(of words: [String], in program: any ParsableCommand.Type) throws -> String {
        try ManualPage(
            description: HelpRequest.subject(of: ["help"] + words, in: CommandDescription(ofProgram: program))
        ).text()
    }

    /// The problem with arguments that the parser has refused.
    ///
    /// - Parameters:
    ///   - message: the parser's message.
    ///   - path: the command whose subcommand should come first in the arguments.
    package static func usageProblem(
        _ message: String, of arguments: [String], after path: [String], of program: any ParsableCommand.Type
    ) -> UsageProblem {
        let parent = try? HelpRequest.subject(of: ["help"] + path, in: CommandDescription(ofProgram: program))
        let names = parent?.subcommands ?? []
        if let first = arguments.first, !first.hasPrefix("-"), first != "help", !names.contains(where: { $0.path.last == first })
        {
            let suggestion = CommandSuggestion.suggestion(for: first, among: names)
            let all = names.compactMap(\.path.last).joined(separator: ", ")
            return UsageProblem(
                field: first,
                problem: "\(parent?.name ?? "") has no such command" + (suggestion.isEmpty ? "; there are \(all)" : suggestion))
        }
        return UsageProblem(field: "", problem: CommandSuggestion.withSubstitute(message))
    }

    /// Asks a person a yes-or-no question.
    ///
    /// - Parameters:
    ///   - text: the subject of the question.
    ///   - isSeen: whether the person can already see the text on the terminal.
    /// - Returns: nil if no person can be asked, or the person gave no answer.
    package static func confirm(_ question: String, after text: String, isSeen: Bool) async throws -> Bool? {
        guard let questioner = QuestionerChoice.ofThisProcess.questioner else { return nil }
        return try await questioner.ask(
            question, again: "Please type yes or no: ", after: isSeen && questioner.isTerminal ? "" : text
        ) { HostKeyAnswer($0, to: []).map { $0 == .yes } }
    }

    /// Runs a command with the local shell. It reads nothing, and its output goes to standard error. Cancelling the task ends
    /// it.
    ///
    /// - Returns: the exit status, or 128 plus the number of a signal; nil if the command could not be started.
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

/// Writes to standard output and standard error in the order of the calls, on a thread of its own, because a reader may stall.
package final class StandardOutputs: Sendable {
    private let queue = DispatchQueue(label: "standard-outputs")

    package init() {}

    /// Writes the bytes, and returns when all are written.
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
