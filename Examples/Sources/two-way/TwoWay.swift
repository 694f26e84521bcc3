import BridgeSSH
import Foundation

/// A conversation with a program: it is written to while its output is read.
@main
enum TwoWay {
    static func main() async throws {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: two-way [user@]host") }
        try await SSHClient.withConnection(to: host, configuration: .standard(home: NSHomeDirectory())) { connection -> Void in
            try await connection.execute("bc -q") { execution, input in
                var lines = execution.standardOutput.lines.makeAsyncIterator()
                for question in ["6 * 7", "2 ^ 64"] {
                    _ = try await input.write(question + "\n")
                    print(question, "=", try await lines.next() ?? "")
                }
            }.checked()
        }
    }
}
