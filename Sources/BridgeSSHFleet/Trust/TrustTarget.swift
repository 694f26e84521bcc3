package import BridgeSSH

/// A server whose host keys are looked at, for all hosts of a fleet that it is.
package struct TrustTarget: Sendable {
    /// The hosts, as the fleet names them; at least one.
    package private(set) var hosts: [String]
    package let endpoint: SSHEndpoint
    package let configuration: SSHConnectionConfiguration

    package init(_ host: String, _ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        hosts = [host]
        self.endpoint = endpoint
        self.configuration = configuration
    }

    /// What known_hosts has it under.
    package var knownName: (host: String, port: Int) { configuration.knownHostName(of: endpoint) }

    mutating func add(_ host: String) {
        if !hosts.contains(host) { hosts.append(host) }
    }

    /// Two hosts with equal ones show the same keys, and have the same line in known_hosts.
    struct Identity: Hashable {
        let place: String
        let host: String
        let port: Int
        let files: SSHKnownHostsFiles
        let way: [String]

        init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
            place = endpoint.place
            (host, port) = configuration.knownHostName(of: endpoint)
            files = configuration.knownHosts
            way = configuration.jumpHosts.map(\.endpoint.description) + [configuration.proxyCommand?.command ?? ""]
        }
    }
}
