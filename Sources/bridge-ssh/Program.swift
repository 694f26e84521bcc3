import ArgumentParser
import BridgeSSH

/// The whole program: arguments in, an exit status out. Nothing that is thrown gets past it.
enum Program {
    static func run(_ arguments: [String]) async -> ExitStatus {
        ProcessSetup.prepare()
        do {
            let command = try BridgeSSHCommand.parseAsRoot(arguments)
            if let run = command as? RunCommand { return await run.perform() }
            if arguments.isEmpty {
                Console.standardOutput(BridgeSSHCommand.helpMessage(columns: LocalTerminal.width) + "\n")
                return .success
            }
            var other = command
            try other.run()
            return .success
        } catch {
            return answer(to: error, arguments)
        }
    }

    /// Help, the version and completions come as errors too, from the argument parser.
    private static func answer(to error: any Error, _ arguments: [String]) -> ExitStatus {
        if BridgeSSHCommand.exitCode(for: error) == .success {
            let text = BridgeSSHCommand.fullMessage(for: error, columns: LocalTerminal.width)
            Console.standardOutput(text.hasSuffix("\n") ? text : text + "\n")
            return .success
        }
        let hints = ArgumentHints(arguments)
        let problem = error as? UsageProblem ?? UsageProblem(field: "", problem: BridgeSSHCommand.message(for: error))
        return UsageReport(problem: problem, hints: hints).publish()
    }
}
