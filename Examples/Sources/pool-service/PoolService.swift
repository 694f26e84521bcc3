import BridgeSSH
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// A pool as a service of a server: it ends in order with the others, also at SIGTERM. `pool-service deploy@web1`.
struct PoolService: Service {
    let pool: SSHConnectionPool

    func run() async throws {
        await cancelWhenGracefulShutdown { await pool.run() }
    }
}

/// What the server does: here, it asks a host for its load again and again.
struct LoadWatch: Service {
    let pool: SSHConnectionPool
    let host: SSHEndpoint

    func run() async throws {
        let configuration = SSHConnectionConfiguration.standard(home: NSHomeDirectory())
        for _ in 0..<3 where !Task.isShuttingDownGracefully {
            let result = try await pool.withConnection(to: host, configuration: configuration) { try await $0.run("uptime") }
            print(result.standardOutputText, terminator: "")
            try await Task.sleep(for: .seconds(1))
        }
    }
}

@main
enum Main {
    static func main() async throws {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: pool-service [user@]host") }
        let pool = try SSHConnectionPool()
        let services = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: PoolService(pool: pool)),
                    .init(
                        service: LoadWatch(pool: pool, host: try SSHEndpoint(parsing: host)),
                        successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: .init(label: "pool-service")))
        do {
            try await services.run()
        } catch let error as SSHError {
            print("\(error.code): \(error.message)")
        }
    }
}
