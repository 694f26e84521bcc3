import BridgeSSH
import Foundation

/// Follows a log while it is written. A slow reader slows the server down; memory stays bounded.
@main
enum StreamLines {
    static func main() async throws {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: stream-lines [user@]host") }
        try await SSHClient.withConnection(to: host, configuration: .standard(home: NSHomeDirectory())) { connection in
            try await connection.execute("journalctl --follow --lines 100") { execution in
                var count = 0
                for try await line in execution.standardOutput.lines {
                    print(line)
                    count += 1
                    // Leaving the loop ends the command; the connection goes on.
                    if count == 1000 { break }
                }
            }.checked()
            print("the connection is still good:", try await connection.run("true").termination)
        }
    }
}
