import BridgeSSH
import Foundation

/// Runs one command and prints its output: `run-command deploy@web1 uptime`.
@main
enum RunCommand {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let host = arguments.first, arguments.count > 1 else { return print("usage: run-command [user@]host command") }
        let command = arguments.dropFirst().joined(separator: " ")
        // The keys, the agent and the known_hosts files that ssh would use. Nothing is read unless it is handed in.
        let configuration = SSHConnectionConfiguration.standard(
            home: NSHomeDirectory(), agentSocket: ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"])
        try await SSHClient.withConnection(to: host, configuration: configuration) { connection in
            let result = try await connection.run(command)
            print(result.standardOutputText, terminator: "")
            print("ended:", result.termination)
        }
    }
}
