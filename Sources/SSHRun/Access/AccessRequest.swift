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
