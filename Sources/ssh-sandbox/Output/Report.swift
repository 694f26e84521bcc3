import Foundation
import SSHTestSupport

/// The parameters to connect to a sandbox, for scripts.
struct Report: Encodable {
    let host: String
    let port: Int
    let user: String
    let identity: String
    let knownHosts: String
    let root: String
    let delayedPort: Int?
    let delayedKnownHosts: String?

    /// - Parameter delayedPort: the port of a delaying proxy.
    init(_ box: SSHDSandbox, delayedPort: Int? = nil) async throws {
        host = box.host
        port = box.port
        user = SandboxUser.alice.name
        identity = box.clientKeyFile
        knownHosts = try await box.knownHosts()
        root = box.url(of: "/").path
        self.delayedPort = delayedPort
        delayedKnownHosts = if let delayedPort { try await box.knownHosts(port: delayedPort) } else { nil }
    }

    /// Shell assignments, with quoted values.
    var assignments: String {
        var values = [
            ("HOST", host), ("PORT", String(port)), ("USER", user), ("IDENTITY", identity), ("KNOWN_HOSTS", knownHosts),
        ]
        if let delayedPort, let delayedKnownHosts {
            values += [("DELAYED_PORT", String(delayedPort)), ("DELAYED_KNOWN_HOSTS", delayedKnownHosts)]
        }
        // This is the last line, so that a reader knows that the list is complete.
        values.append(("ROOT", root))
        return values.map { "SANDBOX_\($0)='\($1.replacingOccurrences(of: "'", with: #"'\''"#))'" }.joined(separator: "\n")
    }

    var json: String {
        get throws { try JSONLine.text(of: self) }
    }

    /// Flushes standard output, because a reader at the other end of a pipe waits for the lines.
    static func flush() { fflush(nil) }
}

/// One JSON object on one line.
enum JSONLine {
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
