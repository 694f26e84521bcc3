import BridgeSSH
import Foundation

/// One command on many hosts, over the connections of a pool: `many-hosts web1 web2 web3`.
@main
enum ManyHosts {
    static func main() async throws {
        let hosts = CommandLine.arguments.dropFirst()
        let configuration = SSHConnectionConfiguration.standard(home: NSHomeDirectory())
        var limits = SSHConnectionPool.Limits()
        limits.connections = 20
        try await SSHConnectionPool.withPool(limits) { pool in
            await withTaskGroup(of: String.self) { group in
                for host in hosts {
                    group.addTask {
                        do {
                            let endpoint = try SSHEndpoint(parsing: host)
                            let result = try await pool.withConnection(to: endpoint, configuration: configuration) {
                                try await $0.run("uptime", check: true)
                            }
                            return "\(host): \(result.standardOutputText.trimmingCharacters(in: .newlines))"
                        } catch let error as SSHError {
                            return "\(host): \(error.code): \(error.message)"
                        } catch {
                            return "\(host): \(error)"
                        }
                    }
                }
                for await line in group { print(line) }
            }
        }
    }
}
