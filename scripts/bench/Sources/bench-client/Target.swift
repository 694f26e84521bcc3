import BridgeSSH

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The server that the environment names: BENCH_HOST, _PORT, _USER, _IDENTITY, _KNOWN_HOSTS, and _CIPHER if it is set.
struct Target: Sendable {
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration

    init() throws {
        func variable(_ name: String) throws -> String {
            guard let value = getenv(name) else { throw Problem("\(name) is not set") }
            return String(cString: value)
        }
        guard let port = Int(try variable("BENCH_PORT")) else { throw Problem("BENCH_PORT is not a number") }
        endpoint = try SSHEndpoint(host: try variable("BENCH_HOST"), port: port, user: try variable("BENCH_USER"))
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = [SSHIdentity(path: try variable("BENCH_IDENTITY"))]
        configuration.knownHosts = SSHKnownHostsFiles(user: [try variable("BENCH_KNOWN_HOSTS")])
        // With hundreds of connections at once, the server performs their key exchanges one after another.
        configuration.timeouts.connect = .seconds(120)
        if let cipher = getenv("BENCH_CIPHER") { configuration.algorithms.ciphers = [String(cString: cipher)] }
        self.configuration = configuration
    }

    func connect() async throws -> SSHConnection {
        try await SSHClient.connect(to: endpoint, configuration: configuration)
    }

    func connected(_ body: (SSHConnection) async throws -> Void) async throws {
        try await SSHClient.withConnection(to: endpoint, configuration: configuration, body)
    }
}
