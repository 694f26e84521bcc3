import BridgeSSH

/// A long-running subcommand: it connects, may be interrupted, and reports its own outcome.
protocol PerformedCommand: Sendable {
    func perform() async -> ExitStatus
}
