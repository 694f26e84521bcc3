import ArgumentParser

/// The tests' sshd, for scripts and for manual experiments.
@main
struct SSHSandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ssh-sandbox",
        abstract: "Start a throw-away sshd with users of every kind, or a fault, on the loopback interface only.",
        subcommands: [Start.self, Serve.self, Users.self, FaultCommand.self, FaultsCommand.self, AttackCommand.self])
}
