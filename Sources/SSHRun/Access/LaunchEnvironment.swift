package import BridgeSSH

/// The parts of the environment that a run needs, as values. SSHRun itself reads no environment.
package struct LaunchEnvironment: Sendable {
    package var home: String
    package var loginName: String
    package var agentSocket: String?
    /// TERM.
    package var terminalType: String?
    /// Whether a person can be asked.
    package var canAsk: Bool
    /// The facts about this machine for ssh's configuration; nil to read no standard file.
    package var machine: SSHConfigContext?
    /// All environment variables, for SendEnv.
    package var environment: [(name: String, value: String)]
    /// Whether standard input is a terminal, for RequestTTY.
    package var isInputTerminal: Bool

    package init(
        home: String, loginName: String, agentSocket: String? = nil, terminalType: String? = nil, canAsk: Bool,
        machine: SSHConfigContext? = nil, environment: [(name: String, value: String)] = [], isInputTerminal: Bool = false
    ) {
        self.home = home
        self.loginName = loginName
        self.agentSocket = agentSocket
        self.terminalType = terminalType
        self.canAsk = canAsk
        self.machine = machine
        self.environment = environment
        self.isInputTerminal = isInputTerminal
    }
}

/// Receives reports from a run. The caller provides it: standard error for a command line, or the log of a fleet.
package protocol RunLog: SSHRunObserver {
    /// A detail, as for `-v`.
    func line(_ text: String)
    /// A wait that a person at a terminal should know about.
    func waits(_ text: String)
    /// A warning that a person needs to understand the outcome.
    func warns(_ text: String)
}

extension RunLog {
    package func waits(_ text: String) { line(text) }
    package func warns(_ text: String) { line(text) }
}

/// Reports nothing.
package struct SilentLog: RunLog {
    package init() {}
    package func line(_ text: String) {}
    package func stageBegan(_ stage: SSHStage, detail: String) {}
    package func notice(_ text: String) {}
}
