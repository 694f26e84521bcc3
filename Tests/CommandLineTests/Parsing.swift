import ArgumentParser
import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

extension LaunchEnvironment {
    /// A home without anything, no agent, no person to ask.
    static let bare = LaunchEnvironment(home: "/home/me", loginName: "me", agentSocket: nil, terminalType: nil, canAsk: false)
    /// The same with a person at a terminal, and an agent.
    static let seated = LaunchEnvironment(
        home: "/home/me", loginName: "me", agentSocket: "/run/agent", terminalType: "xterm", canAsk: true)

    /// A person at a terminal whose `~/.ssh/config` is this text.
    static func configured(_ text: String) -> LaunchEnvironment {
        var context = SSHConfigContext(home: "/home/me", localUser: "me", userID: 1, localHostName: "here")
        context.files = SSHConfigFiles(
            read: { path, _ in path == "/home/me/.ssh/config" ? .bytes(Array(text.utf8)) : .unreadable(errno: 2) },
            matching: { _ in [] })
        var launchEnvironment = LaunchEnvironment.seated
        launchEnvironment.machine = context
        return launchEnvironment
    }
}

/// The options of `bridge-ssh run ARGUMENTS`, read as the program reads them.
func runOptions(_ arguments: [String]) throws -> RunOptions {
    if let plain = RunOptions.plain(["run"] + arguments) { return plain }
    return try #require(try JoinedOptions.parse(["run"] + arguments) as? RunCommand).options
}

/// What `bridge-ssh run ARGUMENTS` would do.
func plan(_ arguments: String..., in launchEnvironment: LaunchEnvironment = .bare) throws -> RunCommandPlan {
    try RunCommandPlan(runOptions(arguments), launchEnvironment: launchEnvironment)
}

extension RunCommandPlan {
    var command: String { run.command }
    var commandOptions: SSHCommandOptions { run.commandOptions }
    var configuration: SSHConnectionConfiguration { run.configuration }
    var wantsTerminal: Bool { run.wantsTerminal }
    var mayAsk: Bool { access.mayAsk }
    var notes: [String] { access.notes }
    var retry: RetryPlan { run.retry }
}

/// The wrong usage that `body` reports, as field and problem.
func usage(_ body: () throws -> RunCommandPlan) -> (field: String, problem: String)? {
    do {
        _ = try body()
    } catch let problem as UsageProblem {
        if case .usage(let field, let text) = problem.event { return (field, text) }
    } catch {
        return ("", BridgeSSHCommand.message(for: error))
    }
    return nil
}
