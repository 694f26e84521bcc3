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

    init(_ box: SSHDSandbox) async throws {
        host = box.host
        port = box.port
        user = SandboxUser.alice.name
        identity = box.clientKeyFile
        knownHosts = try await box.knownHosts()
        root = box.url(of: "/").path
    }

    /// Every value is quoted for a shell.
    var assignments: String {
        let values = [
            ("HOST", host), ("PORT", String(port)), ("USER", user), ("IDENTITY", identity), ("KNOWN_HOSTS", knownHosts),
            ("ROOT", root),
        ]
        return values.map { "SANDBOX_\($0)='\($1.replacingOccurrences(of: "'", with: #"'\''"#))'" }.joined(separator: "\n")
    }

    var json: String {
        get throws { try JSONLine.text(of: self) }
    }

    /// A reader at the other end of a pipe waits for the lines.
    static func flush() { fflush(nil) }
}
