import BridgeSSH

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The environment of a run. The only place that reads environment variables.
struct Surroundings {
    var home: String
    var loginName: String
    var agentSocket: String?
    /// TERM.
    var terminalType: String?
    /// Whether a person can be asked.
    var canAsk: Bool
    /// The source of answers, if there is one.
    var choice = QuestionerChoice.terminal
    /// The local facts that ssh's configuration may need; nil reads no standard file.
    var machine: ConfigurationContext?
    /// The whole environment, for SendEnv.
    var environment: [(name: String, value: String)] = []
    /// Whether standard input is a terminal, for RequestTTY.
    var isInputTerminal = false

    static func current() -> Surroundings {
        let account = LocalAccount.current()
        let home = variable("HOME") ?? account?.home ?? "/"
        let choice = QuestionerChoice(
            hasTerminal: ControllingTerminal.isAvailable, variable: variable, isExecutable: { access($0, X_OK) == 0 })
        return Surroundings(
            home: home, loginName: account?.name ?? "", agentSocket: variable("SSH_AUTH_SOCK"), terminalType: variable("TERM"),
            canAsk: choice != .nobody, choice: choice, machine: LocalMachine.context(home: home, user: account?.name ?? ""),
            environment: LocalMachine.environment, isInputTerminal: isatty(0) == 1)
    }

    /// An empty variable counts as none.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}

/// The user database's entry for the user of this process.
struct LocalAccount {
    let name: String
    let home: String

    /// Nil if the user has no entry, as in some containers.
    static func current() -> LocalAccount? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
            guard let memory = buffer.baseAddress, getpwuid_r(getuid(), &entry, memory, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name, let home = entry.pw_dir
            else { return nil }
            return LocalAccount(name: String(cString: name), home: String(cString: home))
        }
    }
}
