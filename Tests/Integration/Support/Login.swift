import BridgeSSH
import SSHTestSupport

extension SSHDSandbox {
    /// A configuration that gets into this sandbox with its client key, and trusts its host keys.
    func configuration(port: Int? = nil) async throws -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        configuration.credentials.identities = [SSHIdentity(path: clientKeyFile)]
        configuration.knownHosts = SSHKnownHostsFiles(user: [try await knownHosts(port: port)])
        return configuration
    }

    func endpoint(_ user: SandboxUser = .alice, port: Int? = nil) -> SSHEndpoint {
        SSHEndpoint(unchecked: host, port: port ?? self.port, user: user.name)
    }

    /// Connects as `user` and lends the connection.
    func connected<Result>(
        _ user: SandboxUser = .alice, through port: Int? = nil,
        _ change: (inout SSHConnectionConfiguration) throws -> Void = { _ in },
        _ body: (SSHConnection) async throws -> Result
    ) async throws -> Result {
        var configuration = try await configuration(port: port)
        try change(&configuration)
        return try await SSHClient.withConnection(to: endpoint(user, port: port), configuration: configuration, body)
    }

    /// Connects as `user` and expects that to fail.
    func failure(
        _ user: SandboxUser = .alice, through port: Int? = nil,
        _ change: (inout SSHConnectionConfiguration) throws -> Void = { _ in },
        running command: String = "true"
    ) async throws -> SSHError {
        do {
            _ = try await connected(user, through: port, change) { try await $0.run(command, check: true) }
        } catch let error as SSHError {
            return error
        }
        throw DidNotFail()
    }
}

/// An expected failure did not happen.
struct DidNotFail: Error {}
