import BridgeSSH

/// A long-running subcommand: it connects, can be interrupted, and reports its own outcome.
protocol LongRunningCommand: Sendable {
    func perform() async -> SSHExitStatus
}
