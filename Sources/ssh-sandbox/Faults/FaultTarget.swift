import SSHTestSupport

/// The parameters for a client to reproduce a fault, as one JSON object for any program.
struct FaultTarget: Sendable, Encodable {
    var host = "127.0.0.1"
    var port: Int
    var user = SandboxUser.alice.name
    /// The path of a private key file.
    var identity: String?
    var password: String?
    var passphrase: String?
    /// The path of an agent's socket.
    var agent: String?
    var knownHosts: String
    var command = "true"
    /// Seconds.
    var connectTimeout = 5
    /// The time limit of the command in seconds.
    var commandTimeout: Int?
    /// The keepalive interval in seconds.
    var keepalive: Int?

    init(port: Int, knownHosts: String) {
        self.port = port
        self.knownHosts = knownHosts
    }

    /// The parameters to log in to the sandbox as `user`.
    init(_ box: SSHDSandbox, _ user: SandboxUser) async throws {
        self.init(port: box.port, knownHosts: try await box.knownHosts())
        host = box.host
        self.user = user.name
        identity = box.clientKeyFile
    }

    /// Uses only this password.
    mutating func use(password: String) {
        identity = nil
        self.password = password
    }
}
