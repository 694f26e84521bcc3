import Foundation
import SSHTestSupport

/// How to reach a sandbox, in words that scripts read.
struct Report: Encodable {
    let host: String
    let port: Int
    let user: String
    let identity: String
    let knownHosts: String
    let root: String
    let delayedPort: Int?
    let delayedKnownHosts: String?

    /// - Parameter delayedPort: where a delaying proxy listens.
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

    /// Every value is quoted for a shell.
    var assignments: String {
        var values = [
            ("HOST", host), ("PORT", String(port)), ("USER", user), ("IDENTITY", identity), ("KNOWN_HOSTS", knownHosts),
        ]
        if let delayedPort, let delayedKnownHosts {
            values += [("DELAYED_PORT", String(delayedPort)), ("DELAYED_KNOWN_HOSTS", delayedKnownHosts)]
        }
        // The last: who reads line by line knows that all have come.
        values.append(("ROOT", root))
        return values.map { "SANDBOX_\($0)='\($1.replacingOccurrences(of: "'", with: #"'\''"#))'" }.joined(separator: "\n")
    }

    var json: String {
        get throws { try JSONLine.text(of: self) }
    }

    /// A reader at the other end of a pipe waits for the lines.
    static func flush() { fflush(nil) }
}
