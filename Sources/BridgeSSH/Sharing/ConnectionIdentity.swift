internal import Crypto

/// What two runs must have in common to share a connection: endpoint, user, route, and how the host is trusted and the user
/// authenticated. Not included: deadlines, the interaction, and the policy for an unknown host key.
package struct ConnectionIdentity: Sendable, Hashable {
    /// 128 bits of a SHA-256, in hexadecimal digits: fit for a file's name.
    package let name: String

    /// - Parameter circumstances: what else distinguishes two connections.
    package init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, circumstances: [String] = []) {
        let bytes =
            FieldCoder.bytes(of: SSHEndpoint(unchecked: endpoint.host, port: endpoint.port, user: endpoint.user))
            + FieldCoder.bytes(of: Self.essence(of: configuration))
            + circumstances.flatMap { FieldCoder.bytes(of: $0) }
        let digits = Array("0123456789abcdef".utf8)
        let text = SHA256.hash(data: bytes).prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        name = String(decoding: text, as: UTF8.self)
    }

    private static func essence(of configuration: SSHConnectionConfiguration) -> SSHConnectionConfiguration {
        var essence = configuration
        essence.timeouts = SSHTimeouts()
        essence.reachOptions = []
        essence.hostKeyPolicy = .strict
        essence.credentials.passwordPrompts = 0
        essence.knownHosts.hashesNames = false
        // These differ from shell to shell.
        essence.proxyCommand?.environment = []
        essence.knownHostsCommand?.environment = []
        for index in essence.jumpHosts.indices {
            essence.jumpHosts[index].connectTimeout = nil
            let endpoint = essence.jumpHosts[index].endpoint
            essence.jumpHosts[index].endpoint = SSHEndpoint(unchecked: endpoint.host, port: endpoint.port, user: endpoint.user)
            essence.jumpHosts[index].configuration = Self.essence(of: essence.jumpHosts[index].configuration)
        }
        return essence
    }
}
