import ArgumentParser
import BridgeSSH
import CProcessGuard
import Dispatch
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The whole program: arguments in, an exit status out. Every error is handled here.
package enum Program {
    /// What a process begins with.
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
            if let words = FleetProgram.arguments(for: arguments) { try FleetProgram.become(words) }
            if arguments.first == HelperProtocol.subcommand, HelperProgram.isOne { return help() }
            let command = try RunOptions.plain(arguments) ?? parse(arguments)
            if let run = command as? RunOptions { try MisplacedOptions.check(run.words, in: arguments) }
            EarlyEnd.watch(arguments)
            Task(executorPreference: OneLoop.executor) {
                finish(with: LostReport.conclude(await command.perform(), ArgumentHints(arguments)))
            }
        } catch {
            leave(with: LostReport.conclude(answer(to: error, arguments), ArgumentHints(arguments)))
        }
        // The main thread stays, so that the process keeps its name; `leave` ends it.
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// Keeps a connection for runs.
    private static func help() -> Never {
        SignalWatch.start { if $0 != SIGWINCH { leave(with: .success) } }
        // The kernel names a process for the path that it was started by, which is the same for all programs.
        bridge_name_thread("bridge-ssh")
        Task(executorPreference: OneLoop.executor) {
            await HelperProgram.perform()
            leave(with: .success)
        }
        while true { DispatchSemaphore(value: 0).wait() }
    }

    /// A command that takes no time does its work here and does not return.
    private static func parse(_ arguments: [String]) throws -> any PerformedCommand {
        var command = try JoinedOptions.parse(arguments)
        if let run = command as? RunCommand { return run.options }
        if let performed = command as? any PerformedCommand { return performed }
        EarlyEnd.watch(arguments)
        try command.run()
        finish(with: LostReport.conclude(.success, ArgumentHints(arguments)))
    }

    /// Help, the version and completions come as errors too, from the argument parser.
    private static func answer(to error: any Error, _ arguments: [String]) -> ExitStatus {
        if BridgeSSHCommand.exitCode(for: error) == .success {
            let text = BridgeSSHCommand.fullMessage(for: error, columns: HelpPage.width(of: LocalTerminal.width))
            do {
                // The whole program's page is the parser's own: it has no option of its own to describe, and describing those of
                // all subcommands would take eight times as long.
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

    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        let problem =
            error as? UsageProblem ?? Misspelling.command(arguments)
            ?? UsageProblem(
                field: "",
                problem: Misspelling.withSubstitute(BridgeSSHCommand.message(for: error), isRun: arguments.first == "run"))
        let hints = ArgumentHints(arguments)
        // Monitoring reads the line and the status of a plugin and nothing else.
        if hints.subcommand == .check { return CheckResult("", problem.verdict(of: .check)).publish() }
        return UsageReport(problem: problem, hints: hints, object: hints.subcommand.failureObject).publish()
    }
}
