package import BridgeSSH

/// What a caller asks for beside the destination: how hosts are reached, which host keys are trusted, and how to authenticate.
/// The same for all hosts of a caller. Nil and empty leave it to ssh's configuration, and then to the defaults.
package struct AccessRequest: Sendable, Equatable {
    /// Before a user of the destination.
    package var user: String?
    /// Before a port of the destination.
    package var port: Int?
    /// Where ssh's configuration is read from; nil for the standard files.
    package var configuration: SSHConfigSource?
    /// Settings before those of the files, each `Key=Value`.
    package var settings: [String] = []
    /// What the connections are for, as far as ssh's configuration asks (`Match sessiontype`, `Match command`).
    package var session = SSHConfigSession.command("")
    /// The time to connect and authenticate, and for resolving the name.
    package var connectTimeout: Duration?
    /// The silence between two keepalives.
    package var keepaliveInterval: Duration?
    package var addressFamily: SSHAddressFamily?
    /// Whether no person is asked, whatever the environment allows.
    package var isBatch = false
    /// known_hosts files in place of the configured ones.
    package var knownHosts: [String] = []
    package var hostKeyPolicy: SSHHostKeyPolicy?
    package var agent: Agent?
    /// What a remedy's command has to repeat.
    package var reachOptions = ReachOptions()
    /// Key files for the destination, in place of the default ones.
    package var identities: [String] = []
    /// Whether the agent's other keys are left out.
    package var identitiesOnly = false

    /// The agent that is used, whatever the configuration says.
    package enum Agent: Sendable, Equatable {
        case none
        /// The path of its socket.
        case socket(String)
    }

    package init() {}
}

/// Where secrets and a person's answers come from. Handed in: a command line reads files and asks on its terminal, a fleet asks
/// once for all its hosts.
package protocol AccessSecrets: Sendable {
    /// The destination's password.
    ///
    /// - Returns: nil without one.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func password() async throws -> SSHSecret?

    /// The passphrase of all key files.
    ///
    /// - Returns: nil without one.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func passphrase() async throws -> SSHSecret?

    /// Asks a person; nil where no person can be asked.
    var person: (any SSHInteraction)? { get }
}

/// No secrets, and no person.
package struct NoSecrets: AccessSecrets {
    package init() {}
    package func password() async throws -> SSHSecret? { nil }
    package func passphrase() async throws -> SSHSecret? { nil }
    package var person: (any SSHInteraction)? { nil }
}

/// The options of a command line that decide how its host is reached and which known_hosts files count. A remedy repeats them:
/// without them its command would be about another machine or file.
package struct ReachOptions: Sendable, Equatable {
    /// For every host on the way.
    private let shared: [String]
    /// For the destination, whose part the jump hosts have in their own configuration.
    private let own: [String]

    package init(shared: [String] = [], own: [String] = []) {
        self.shared = shared
        self.own = own
    }

    func put(into configuration: inout SSHConnectionConfiguration) {
        configuration.reachOptions = shared + own
        var before: [String] = []
        for index in configuration.jumpHosts.indices {
            let host = configuration.jumpHosts[index].endpoint
            let jump = before.isEmpty ? [] : ["-J", before.joined(separator: ",")]
            configuration.jumpHosts[index].configuration.reachOptions =
                shared + jump + ["-p", "\(host.port)", "-l", host.user]
            before.append(SSHEndpoint.text(host: host.name, port: host.port, user: host.user))
        }
    }
}
