import ArgumentParser

@main
struct Sandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ssh-sandbox")
}
