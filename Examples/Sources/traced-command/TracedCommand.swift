import BridgeSSH
import Foundation
import InMemoryTracing
import Tracing

/// Runs a command, asks where files go, and prints the spans of its connection: `traced-command deploy@web1 uptime`. The package's trait `Tracing`
/// is enabled in this program's manifest.
@main
enum TracedCommand {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let host = arguments.first, arguments.count > 1 else { return print("usage: traced-command [user@]host command") }
        let tracer = InMemoryTracer()
        InstrumentationSystem.bootstrap(tracer)
        do {
            let configuration = SSHConnectionConfiguration.standard(home: NSHomeDirectory())
            try await SSHClient.withConnection(to: host, configuration: configuration) { connection in
                _ = try await connection.run(arguments.dropFirst().joined(separator: " "))
                _ = try await connection.withSFTP { try await $0.realPath(of: ".") }
            }
        } catch let error as SSHError {
            print("\(error.code): \(error.message)")
        }
        for span in tracer.finishedSpans {
            let milliseconds = Double(span.endInstant.nanosecondsSinceEpoch - span.startInstant.nanosecondsSinceEpoch) / 1e6
            print(span.operationName, "\(milliseconds) ms", span.attributes.isEmpty ? "" : "\(span.attributes)")
        }
    }
}
