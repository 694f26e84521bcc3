import BridgeSSH
import SSHTestSupport

/// One run, to be made by the library and by the executable alike.
struct Visit: Sendable {
    var host: String
    var port: Int
    var user: String
    var identities: [String] = []
    var identitiesOnly = false
    var agent: String?
    var password: String?
    var passphrase: String?
    var knownHosts: [String] = []
    var policy = HostKeyPolicy.strict
    var family = AddressFamily.any
    /// Long, so that only what is meant to wait for ever runs into it, on however busy a machine.
    var connectTimeout = 60.0
    var timeout: Double?
    var idleTimeout: Double?
    var drain: Double?
    var keepalive: Double?
    var tty = false
    var outputLimit: Int?
    var command = "true"
    var input: [UInt8] = []

    /// What must never be seen in any output.
    var secrets: [String] { [password, passphrase].compactMap { $0 } }
}

extension SSHDSandbox {
    /// A run that succeeds: the client key, the server's own host keys, `true`.
    func visit(
        _ user: SandboxUser = .alice, _ command: String = "true", through port: Int? = nil
    ) async throws -> Visit {
        var visit = Visit(host: host, port: port ?? self.port, user: user.name, command: command)
        visit.identities = [clientKeyFile]
        visit.knownHosts = [try await knownHosts(port: port)]
        return visit
    }
}

extension FaultServer {
    /// A run against the broken server with a password that it never gets to ask for.
    func visit(connectTimeout: Double = 60) -> Visit {
        var visit = Visit(host: host, port: port, user: "alice")
        visit.password = "never-sent-pw"
        visit.connectTimeout = connectTimeout
        visit.knownHosts = ["/dev/null"]
        return visit
    }
}
