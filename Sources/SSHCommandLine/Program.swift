import ArgumentParser
import BridgeSSH
import CProcessGuard
import Dispatch
import ErrorCore
import SSHRun

/// The whole program: arguments in, an exit status out. Every error is handled here.
package enum Program {
    /// The entry point of the process.
    package static func main() -> Never {
        OpenSSHQuestion.answerIfAsked()
        StandIn.runIfCalled()
        // Before Swift's concurrency starts, which opens descriptors and threads.
        ProcessSetup.prepare()
        run(ProcessArguments.all)
    }

    private static func run(_ arguments: [String]) -> Never {
        do {
            try ProcessArguments.check()
            try ProcessSetup.checkLimits(openFiles: 12)
            if let words = FleetProgram.arguments(for: arguments) { try FleetProgram.become(words) }
            if arguments.first == HelperProtocol.subcommand, HelperProgram.isOne { return help() }
            let command = try RunOptions.plain(arguments) ?? parse(arguments)
            if let run = command as? RunOptions { try MisplacedOptions.check(run.words, in: arguments) }
            EarlySignals.watch(arguments)
            Task(executorPreference: SingleEventLoop.executor) {
                finish(with: UnwrittenOutput.conclude(await command.perform(), ArgumentHints(arguments)))
            }
        } catch {
            leave(with: UnwrittenOutput.conclude(answer(to: error, arguments), ArgumentHints(arguments)))
        }
        // The main thread must stay alive, or the process loses its name; `leave` ends it.
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// Keeps a connection for runs.
    private static func help() -> Never {
        SignalWatch.start { if $0 != SIGWINCH { leave(with: .success) } }
        // The kernel names a process after the path that started it, which is the same path for all programs.
        bridge_name_thread("bridge-ssh")
        Task(executorPreference: SingleEventLoop.executor) {
            await HelperProgram.perform()
            leave(with: .success)
        }
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// A command that takes no time does its work here and does not return.
    private static func parse(_ arguments: [String]) throws -> any LongRunningCommand {
        var command = try JoinedOptions.parse(arguments)
        if let run = command as? RunCommand { return run.options }
        if let performed = command as? any LongRunningCommand { return performed }
        EarlySignals.watch(arguments)
        try command.run()
        finish(with: UnwrittenOutput.conclude(.success, ArgumentHints(arguments)))
    }

    /// The argument parser also reports help, the version and completions as errors.
    private static func answer(to error: any Error, _ arguments: [String]) -> SSHExitStatus {
        if BridgeSSHCommand.exitCode(for: error) == .success {
            let text = BridgeSSHCommand.fullMessage(for: error, columns: HelpPage.width(of: LocalTerminal.width))
            do {
                // The parser writes the page of the whole program: the program has no options of its own, and describing those
                // of all subcommands would take eight times as long.
                let subject = text.hasPrefix("OVERVIEW: ") ? try HelpRequest.subject(of: arguments) : nil
                if let subject, subject.path.count > 1 {
                    Console.show(try HelpPage(subject, columns: LocalTerminal.width).text())
                } else {
                    Console.standardOutput(text.hasSuffix("\n") ? text : text + "\n")
                    if text.hasPrefix("bridge-ssh \(Product.version) (") { Console.show(VersionReport.text()) }
                }
            } catch {
                return report(error, arguments)
            }
            return .success
        }
        return report(error, arguments)
    }

    private static func report(_ error: any Error, _ arguments: [String]) -> SSHExitStatus {
        let problem =
            error as? UsageProblem ?? CommandSuggestion.command(arguments)
            ?? UsageProblem(
                field: "",
                problem: CommandSuggestion.withSubstitute(BridgeSSHCommand.message(for: error), isRun: arguments.first == "run"))
        let hints = ArgumentHints(arguments)
        // Monitoring reads the line and the status of a plugin and nothing else.
        if hints.subcommand == .check { return CheckResult("", problem.verdict(of: .check)).publish() }
        return UsageReport(problem: problem, hints: hints, object: hints.subcommand.failureObject).publish()
    }
}

/// The text of `--version` after the versions: the known defects of the loaded libssh2, and how bridge-ssh handles each.
enum VersionReport {
    static func text() -> String {
        let (version, package, vulnerabilities) = Library.report()
        let name = package.map { "libssh2 \(version) (Debian's package \($0))" } ?? "libssh2 \(version)"
        guard !vulnerabilities.isEmpty else { return "\(name) has no known defect that a server could use.\n" }
        let heading = "\(name) has known defects that a server could use. What each can do, and what bridge-ssh does about it:"
        let lines = vulnerabilities.flatMap { vulnerability in
            fold("- \(vulnerability.name): \(vulnerability.effect) \(vulnerability.defence)", hanging: "  ")
        }
        return (fold(heading, hanging: "") + lines).joined(separator: "\n") + "\n"
    }

    private static func fold(_ text: String, hanging: String) -> [String] {
        let width = max(40, LocalTerminal.width) - hanging.count
        return TerminalText.fold(text, width: width).enumerated().map { $0.offset == 0 ? $0.element : hanging + $0.element }
    }
}

/// Handles signals until a command installs its own handler, and for commands that install none. Reading the configuration, and
/// running its programs, may take any length of time.
enum EarlySignals {
    /// The time limit for writing the final message when nothing reads it.
    private static let timeLimit = DispatchTimeInterval.milliseconds(900)

    /// - Parameter arguments: the command line, which selects the form of the report.
    static func watch(_ arguments: [String]) {
        SignalWatch.start { number in
            guard number != SIGWINCH else { return }
            let status = SSHExitStatus(rawValue: 128 + number)
            // A second signal, or one during the final message.
            guard FinalReportClaim.take() else { leave(with: status) }
            DispatchQueue(label: "time limit").asyncAfter(deadline: .now() + timeLimit) { leave(with: status) }
            DispatchQueue(label: "last-words").async {
                let problem = UsageProblem(cancelledBy: SignalWatch.name(of: number))
                let hints = ArgumentHints(arguments)
                leave(with: UsageReport(problem: problem, hints: hints, object: hints.subcommand.failureObject).say())
            }
        }
    }
}

extension Subcommand {
    /// The JSON object for a failure before the subcommand starts. Subcommands without their own object use that of `run`.
    var failureObject: UsageReport.Object {
        switch self {
        case .doctor: DoctorCommand.failureObject
        case .trust: TrustCommand.failureObject
        case .copy: CopyCommand.failureObject
        default: UsageReport.runObject
        }
    }
}
