import SSHTestSupport

/// The parameters with which a client runs into a fault: one JSON object for any program.
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
    /// Seconds after which the command is given up.
    var commandTimeout: Int?
    /// Seconds between two signs of life that are asked for.
    var keepalive: Int?

    init(port: Int, knownHosts: String) {
        self.port = port
        self.knownHosts = knownHosts
    }

    /// What gets `user` into the sandbox.
    init(_ box: SSHDSandbox, _ user: SandboxUser) async throws {
        self.init(port: box.port, knownHosts: try await box.knownHosts())
        host = box.host
        self.user = user.name
        identity = box.clientKeyFile
    }

    /// Only this password.
    mutating func use(password: String) {
        identity = nil
        self.password = password
    }
}
