public import BridgeSSH
public import HostSets
internal import SSHRun

/// What a fleet run has beside its hosts, what they have in common, and its pace.
public struct FleetOptions: Sendable {
    /// Changes how a host is reached, and how its command is run, where it differs from the others. Called once for each host,
    /// before the first is touched; what it throws ends the run before it begins.
    ///
    /// ```swift
    /// options.settings = { host in
    ///     if host.host.name.hasPrefix("db") { host.configuration.timeouts.connect = .seconds(60) }
    /// }
    /// ```
    public var settings: (@Sendable (inout FleetHostSettings) throws -> Void)?
    /// Called when a batch of ``FleetLimits/batches`` has ended, with its number from 1, and another is to begin: returns nil to go
    /// on, or why the run must not, which ends it as a rule does. Its task is cancelled where the run is ended meanwhile.
    public var betweenBatches: (@Sendable (Int) async -> String?)?
    /// The journal that the run keeps, or goes on with; nil for none.
    public var journal: FleetJournal?

    /// Nothing, but for what is given.
    public init(
        settings: (@Sendable (inout FleetHostSettings) throws -> Void)? = nil,
        betweenBatches: (@Sendable (Int) async -> String?)? = nil, journal: FleetJournal? = nil
    ) {
        self.settings = settings
        self.betweenBatches = betweenBatches
        self.journal = journal
    }
}

/// How one host of a fleet run is reached, and how its command is run.
public struct FleetHostSettings: Sendable {
    /// The host as its set names it.
    public let host: FleetHost
    /// The name or address that is connected to; ``HostSets/FleetHost/name`` at first.
    public var address: String
    /// The port; that of ``host``, or 22, at first.
    public var port: Int
    /// The user to log in as; nil is an error.
    public var user: String?
    /// Which host keys to trust and how to authenticate.
    public var configuration: SSHConnectionConfiguration
    /// How its command is run. ``FleetLimits/outputLimit`` takes the place of its own output limit.
    public var command = SSHCommandOptions()

    init(_ host: FleetHost, user: String?, _ configuration: SSHConnectionConfiguration) {
        self.host = host
        address = host.name
        port = host.port ?? 22
        self.user = host.user ?? user
        self.configuration = configuration
    }

    /// - Throws: ``SSHError``, `ssh.local.usage`.
    var reach: HostReach {
        get throws {
            guard let user else {
                throw UsageProblem(
                    field: "user", problem: "\(host.name) names none; write user@\(host.name), or give a user for all hosts"
                )
                .verdict(ofSubcommand: nil)
            }
            var reach = HostReach(try SSHEndpoint(host: address, port: port, user: user), configuration)
            reach.options = command
            return reach
        }
    }
}
