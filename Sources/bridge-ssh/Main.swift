import ArgumentParser

@main
struct BridgeSSHCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "bridge-ssh")
}
