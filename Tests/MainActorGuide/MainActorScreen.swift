import BridgeSSH
import ErrorCore

/// A screen of an app: its closures use state of the main actor.
final class MainActorScreen {
    private(set) var tries = 0
    private(set) var lines: [String] = []

    func load(from endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) async throws {
        let result = try await SSHClient.run("uptime", on: endpoint, configuration: configuration, retry: .default) { _ in
            tries += 1
        }
        lines.append(result.standardOutputText)
        try await SSHClient.withConnection(to: endpoint, configuration: configuration) { connection in
            let first = try await connection.execute("journalctl -f") { execution in
                try await execution.standardOutput.lines.first { line in !line.isEmpty && tries > 0 }
            }.value
            if let first { lines.append(first) }
            try await connection.execute("cat") { execution, input in
                try await input.write("x\n")
                for try await line in execution.standardOutput.lines { lines.append(line) }
            }.checked()
            try await connection.open(to: "127.0.0.1", port: 80) { stream in
                try await stream.outbound.write("\r\n")
                for try await piece in stream.inbound { lines.append("\(piece.count)") }
            }
            try await connection.withSFTP { sftp in
                try await sftp.withFile("x", .reading) { file in
                    for try await bytes in file.chunks() { lines.append(String(decoding: bytes, as: UTF8.self)) }
                }
            }
        }
    }
}
