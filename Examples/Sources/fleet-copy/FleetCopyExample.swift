import BridgeSSHFleet
import Foundation

/// A file to every host of an expression, and then each host's own count of its bytes: `fleet-copy 'deploy@web[01-20]' app.conf /etc/app/app.conf`.
@main
enum FleetCopyExample {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 4 else { return print("usage: fleet-copy HOSTS FILE PATH") }
        let hosts = try HostSet(words[1])
        let configuration = SSHConnectionConfiguration.standard(
            home: NSHomeDirectory(), agentSocket: ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"])
        try await Fleet.withRun(
            .copy([words[2]], to: words[3]), on: hosts, user: NSUserName(), configuration: configuration,
            stop: [.failures(percent: 5)]
        ) { run in
            for try await event in run.events {
                guard case .ended(let result) = event else { continue }
                print("\(result.host): \(result.outcome.rawValue), \(result.copied?.bytes ?? 0) bytes")
            }
        }
        // Anything else that SFTP can do: a connection for each host.
        let sizes = try await Fleet.forEach(hosts, user: NSUserName(), configuration: configuration) { connection, _ in
            try await connection.withSFTP { sftp in try await sftp.attributes(of: words[3]).size ?? 0 }
        }
        for (host, size) in sizes { print(host, (try? size.get()) ?? 0) }
    }
}
