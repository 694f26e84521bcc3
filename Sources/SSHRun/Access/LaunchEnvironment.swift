package import BridgeSSH

/// What a run takes from where it is started, as values: SSHRun itself reads no environment.
package struct LaunchEnvironment: Sendable {
    package var home: String
    package var loginName: String
    package var agentSocket: String?
    /// TERM.
    package var terminalType: String?
    /// Whether a person can be asked.
    package var canAsk: Bool
    /// What ssh's configuration may ask of this machine; nil reads no standard file.
    package var machine: SSHConfigContext?
    /// The whole environment, for SendEnv.
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
