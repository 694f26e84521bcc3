import ArgumentParser
import BridgeSSH

/// `bridge-ssh` without a subcommand.
struct BridgeSSHCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bridge-ssh",
            abstract: "Run commands over SSH, and learn exactly what went wrong when one fails.",
            discussion: """
                Every failure has a name of its own, a reason in plain words, a next step, and an exit status of its own: 193 to \
                199, which with --exit-status strict no command has. Start with:

                  bridge-ssh run deploy@web1 uptime
                  bridge-ssh run --help
                  bridge-ssh copy report.pdf deploy@web1:
                  bridge-ssh fleet run 'web[1-20]' uptime
                  bridge-ssh doctor deploy@web1
                  bridge-ssh trust web1
                """,
            version: "bridge-ssh \(Product.version) (libssh2 \(Library.version))",
            subcommands: [
                RunCommand.self, CopyCommand.self, FleetListing.self, SSHCommand.self, DoctorCommand.self, CheckCommand.self,
                TrustCommand.self, ConfigCommand.self,
                PersistCommand.self, CodesCommand.self, ExplainCommand.self, ClassifyCommand.self, ManualCommand.self,
            ])
    }
}
