import ArgumentParser
import BridgeSSH
import Testing

@testable import bridge_ssh

extension Surroundings {
    /// A home without anything, no agent, nobody to ask.
    static let bare = Surroundings(home: "/home/me", loginName: "me", agentSocket: nil, terminalType: nil, canAsk: false)
    /// The same with a person at a terminal, and an agent.
    static let seated = Surroundings(
        home: "/home/me", loginName: "me", agentSocket: "/run/agent", terminalType: "xterm", canAsk: true)
}

/// What `bridge-ssh run ARGUMENTS` would do.
func plan(_ arguments: String..., in surroundings: Surroundings = .bare) throws -> RunPlan {
    let command = try BridgeSSHCommand.parseAsRoot(["run"] + arguments)
    return try RunPlan(try #require(command as? RunCommand).options, surroundings: surroundings)
}

/// The wrong usage that `body` reports, as field and problem.
func usage(_ body: () throws -> RunPlan) -> (field: String, problem: String)? {
    do {
        _ = try body()
    } catch let problem as UsageProblem {
        if case .usage(let field, let text) = problem.event { return (field, text) }
    } catch {
        return ("", BridgeSSHCommand.message(for: error))
    }
    return nil
}
