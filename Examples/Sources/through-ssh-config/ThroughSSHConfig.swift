import BridgeSSH
import Foundation

/// Connects to a host with its settings in ssh's configuration: `through-ssh-config web1`.
@main
enum ThroughSSHConfig {
    static func main() async throws {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: through-ssh-config host") }
        let home = NSHomeDirectory()
        let context = SSHConfigContext(
            home: home, localUser: NSUserName(), userID: getuid(), localHostName: ProcessInfo.processInfo.hostName)
        let files = SSHConfigFile(context: context)
        let resolved = try files.resolve(host: host)
        for setting in resolved.settings {
            if let place = setting.place { print("\(setting.name) \(setting.value)  (\(place))") }
        }

        var configuration = SSHConnectionConfiguration.standard(home: home)
        // ProxyJump: each host on the route has its own settings.
        let jumpHosts = try files.jumpHosts(for: resolved).map { hop in
            var configuration = SSHConnectionConfiguration.standard(home: home)
            try configuration.apply(hop, context: context, canAsk: false)
            return SSHJumpHost(try SSHEndpoint(host: hop.hostName, port: hop.port, user: hop.user), configuration: configuration)
        }
        try configuration.apply(resolved, context: context, canAsk: false, through: jumpHosts)
        let endpoint = try SSHEndpoint(host: resolved.hostName, port: resolved.port, user: resolved.user)
        try await SSHClient.withConnection(to: endpoint, configuration: configuration) { connection in
            print(try await connection.run("hostname").standardOutputText, terminator: "")
        }
    }
}
