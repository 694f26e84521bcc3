package import BridgeSSH

/// The caller's request besides the destination: how to reach hosts, which host keys to trust, and how to authenticate. It is the
/// same for all of the caller's hosts. Nil and empty values leave the choice to ssh's configuration, then to the defaults.
package struct AccessRequest: Sendable, Equatable {
    /// Takes precedence over the user in the destination.
    package var user: String?
    /// Takes precedence over the port in the destination.
    package var port: Int?
    /// The source of ssh's configuration; nil for the standard files.
    package var configuration: SSHConfigSource?
    /// Settings that take precedence over those of the files, each as `Key=Value`.
    package var settings: [String] = []
    /// The purpose of the connections, for `Match sessiontype` and `Match command` in ssh's configuration.
    package var session = SSHConfigSession.command("")
    /// The time limit for resolving the name, connecting and authenticating.
    package var connectTimeout: Duration?
    package var keepaliveInterval: Duration?
    package var addressFamily: SSHAddressFamily?
    /// Whether OpenSSH's ssh connects. It follows settings that bridge-ssh does not, and says itself what is wrong with them.
    package var isForOpenSSH = false
    /// The settings of the configuration, in lower case, with which ssh would make another session than it is started for, in the
    /// background, or without input.
    package internal(set) var sessionSettings: [String] = []
    /// Whether to ask no person, even if the environment allows it.
    package var isBatch = false
    /// known_hosts files that replace the configured ones.
    package var knownHosts: [String] = []
    package var hostKeyPolicy: SSHHostKeyPolicy?
    package var agent: Agent?
    /// The options that a command in a remedy must repeat.
    package var reachOptions = ReachOptions()
    /// Key files for the destination, which replace the default ones.
    package var identities: [String] = []
    /// Whether to ignore the agent's other keys.
    package var identitiesOnly = false

    /// The agent to use, whatever the configuration says.
    package enum Agent: Sendable, Equatable {
        case none
        /// The agent at this socket path.
        case socket(String)
    }

    package init() {}
}

/// Supplies secrets and a person's answers. The caller provides it: a command line reads files and prompts on its terminal; a
/// fleet prompts once for all its hosts.
package protocol AccessSecrets: Sendable {
    /// The destination's password.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func password() async throws -> SSHSecret?

    /// The passphrase of all key files.
    ///
    /// - Returns: nil if there is none.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func passphrase() async throws -> SSHSecret?

    /// Asks a person; nil if no person can be asked.
    var person: (any SSHInteraction)? { get }
}

/// No secrets, and no person.
package struct NoSecrets: AccessSecrets {
    package init() {}
    package func password() async throws -> SSHSecret? { nil }
    package func passphrase() async throws -> SSHSecret? { nil }
    package var person: (any SSHInteraction)? { nil }
}

/// The command line options that decide how the host is reached and which known_hosts files apply. A remedy repeats them: without
/// them, its command would concern another machine or file.
package struct ReachOptions: Sendable, Equatable {
    /// Options for every hop.
    private let shared: [String]
    /// Options for the destination only. The jump hosts' own configuration sets these.
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
