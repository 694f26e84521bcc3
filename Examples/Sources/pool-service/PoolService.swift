import BridgeSSH
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// What the server does: here, it asks a host for its load again and again.
struct LoadWatch: Service {
    let pool: SSHConnectionPool
    let host: SSHEndpoint

    func run() async throws {
        let configuration = SSHConnectionConfiguration.standard(home: NSHomeDirectory())
        while !Task.isShuttingDownGracefully {
            do {
                let result = try await pool.withConnection(to: host, configuration: configuration) { try await $0.run("uptime") }
                print(result.standardOutputText.trimmingCharacters(in: .whitespacesAndNewlines))
            } catch let error as SSHError {
                print("\(error.code): \(error.message)")
            }
            fflush(nil)
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        }
    }
}

/// A pool as a service of a server: it ends after the others, also at SIGTERM. `pool-service deploy@web1`.
///
/// The package is used with its trait `ServiceLifecycle`.
@main
enum Main {
    static func main() async throws {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: pool-service [user@]host") }
        let pool = try SSHConnectionPool()
        let watch = LoadWatch(pool: pool, host: try SSHEndpoint(parsing: host, user: NSUserName()))
        let services = ServiceGroup(
            services: [pool, watch], gracefulShutdownSignals: [.sigterm, .sigint], logger: Logger(label: "pool-service"))
        try await services.run()
        print("ended in order")
    }
}
