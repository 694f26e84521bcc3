import BridgeSSHFleet
import Foundation

/// One command on every host of an expression, which stops once a twentieth of them has failed: `fleet-run 'deploy@web[01-20]' uptime`.
@main
enum FleetRunExample {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let expression = words.first else { return print("usage: fleet-run HOSTS COMMAND…") }
        let hosts = try HostSet(expression)
        let configuration = SSHConnectionConfiguration.standard(
            home: NSHomeDirectory(), agentSocket: ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"])
        try await Fleet.withRun(
            .command(words.dropFirst().joined(separator: " ")), on: hosts, user: NSUserName(), configuration: configuration,
            limits: FleetLimits(memory: .mebibytes(32)), stop: [.failures(percent: 5)]
        ) { run in
            for try await event in run.events {
                switch event {
                case .output(let host, .standardOutput, let bytes):
                    print("\(host): \(String(decoding: bytes, as: UTF8.self))", terminator: "")
                case .ended(let result):
                    if let error = result.error { print("\(result.host): \(result.outcome.rawValue): \(error.message)") }
                case .stopped(_, let reason): print("stopped: \(reason)")
                default: break
                }
            }
            for group in run.summary.groups { print("\(group.outcome.rawValue): \(group.count): \(group.hosts)") }
        }
    }
}
