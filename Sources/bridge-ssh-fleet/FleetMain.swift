internal import ArgumentParser
internal import BridgeSSH
internal import BridgeSSHFleet
internal import SSHCommandLine
internal import SSHRun

@main
enum Main {
    static func main() {
        FleetMain.main()
    }
}

/// The whole program: arguments in, an exit status out. Every error is handled here.
enum FleetMain {
    static func main() -> Never {
        // Before Swift's concurrency runtime opens descriptors and starts threads.
        FleetProcess.prepare()
        DescriptorLimit.raise()
        run(ProcessArguments.all)
    }

    private static func run(_ arguments: [String]) -> Never {
        do {
            try ProcessArguments.check()
            try FleetProcess.checkLimits()
            var command = try FleetParser.parse(arguments)
            FleetProcess.watchSignals { signal in
                LocalHostPrograms.endAll()
                FleetProcess.leave(with: .ended(by: signal))
            }
            guard let performed = command as? any FleetSubcommand else {
                try command.run()
                FleetProcess.finish(with: .success, arguments)
            }
            Task { FleetProcess.finish(with: await perform(performed, arguments), arguments) }
        } catch {
            FleetProcess.finish(with: answer(to: error, arguments), arguments)
        }
        // The main thread stays alive, so the process keeps its name.
        FleetProcess.stay()
    }

    private static func perform(_ command: any FleetSubcommand, _ arguments: [String]) async -> SSHExitStatus {
        do {
            return try await command.perform()
        } catch let problem as UsageProblem {
            return refuse(problem, type(of: command).name, arguments)
        } catch let problem as HostSetProblem {
            return refuse(problem, arguments)
        } catch let error as SSHError {
            FleetProcess.show(error)
            // Nothing was begun. Otherwise the status of a file that was not copied would be taken for a host's.
            return error.exitStatus == .fileFailure ? .localFailure : error.exitStatus
        } catch is CancellationError {
            return .cancelled
        } catch {
            return refuse(UsageProblem(field: "", problem: "\(error)"), type(of: command).name, arguments)
        }
    }

    /// Handles an error. The argument parser throws help and the version as errors, too.
    private static func answer(to error: any Error, _ arguments: [String]) -> SSHExitStatus {
        if let problem = error as? HostSetProblem { return refuse(problem, arguments) }
        if let code = error as? ExitCode { return SSHExitStatus(rawValue: code.rawValue) }
        let program: any ParsableCommand.Type =
            FleetParser.isForWholeProgram(arguments) ? BridgeSSHProgram.self : FleetCommand.self
        if program.exitCode(for: error) == .success { return show(program.fullMessage(for: error), arguments) }
        let problem =
            error as? UsageProblem
            ?? FleetProcess.usageProblem(
                FleetCommand.message(for: error), of: arguments, after: ["fleet"], of: BridgeSSHProgram.self)
        return refuse(problem, name(of: arguments), arguments)
    }

    /// Prints help, the version, or a completion script.
    private static func show(_ message: String, _ arguments: [String]) -> SSHExitStatus {
        guard message.hasPrefix("OVERVIEW: ") else {
            FleetProcess.output(message.hasSuffix("\n") ? message : message + "\n")
            return .success
        }
        do {
            let isCommand = arguments.first == "help"
            try FleetProcess.showHelp(
                for: isCommand ? ["help", "fleet"] + arguments.dropFirst() : ["fleet"] + arguments, of: BridgeSSHProgram.self)
            return .success
        } catch {
            return refuse(error as? UsageProblem ?? UsageProblem(field: "", problem: "\(error)"), "fleet", arguments)
        }
    }

    /// The subcommand's name after `bridge-ssh`; `fleet` if the first argument is not a subcommand.
    private static func name(of arguments: [String]) -> String {
        let names = FleetCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        return arguments.first.flatMap { names.contains($0) ? "fleet \($0)" : nil } ?? "fleet"
    }

    private static func refuse(_ problem: UsageProblem, _ name: String, _ arguments: [String]) -> SSHExitStatus {
        let error = problem.verdict(ofSubcommand: name)
        if asksForJSON(arguments) { FleetProcess.showJSON(of: error) }
        FleetProcess.show(error)
        return error.exitStatus
    }

    private static func refuse(_ problem: HostSetProblem, _ arguments: [String]) -> SSHExitStatus {
        if asksForJSON(arguments) {
            let usage = UsageProblem(field: "hosts", problem: problem.forCommandLine.line)
            FleetProcess.showJSON(of: usage.verdict(ofSubcommand: name(of: arguments)))
        }
        FleetConsole.show(problem)
        return .localFailure
    }

    /// Whether standard output is for a program, which then finds the reason there too.
    private static func asksForJSON(_ arguments: [String]) -> Bool {
        let own = arguments.prefix { $0 != "--" }
        let modes = ArgumentHints.values(of: "--output", in: arguments)
        return own.contains("--json") || own.contains("--jsonl") || modes.contains { $0.split(separator: ",").contains("jsonl") }
    }
}
