public import BridgeSSH
public import HostSets
internal import SSHRun

/// Further options of a fleet run: settings of single hosts, the step between batches, and the journal.
public struct FleetOptions: Sendable {
    /// Changes how single hosts are reached and how their commands run. Called once for each host, before any host is contacted;
    /// if it throws, the run does not begin.
    ///
    /// ```swift
    /// options.settings = { host in
    ///     if host.host.name.hasPrefix("db") { host.configuration.timeouts.connect = .seconds(60) }
    /// }
    /// ```
    public var settings: (@Sendable (inout FleetHostSettings) throws -> Void)?
    /// Called with the number, from 1, of each batch of ``FleetLimits/batches`` that has ended, if another one follows.
    /// Returns nil to continue, or the reason to end the run, as a stop rule would. Its task is cancelled if the run ends
    /// meanwhile.
    public var betweenBatches: (@Sendable (Int) async -> String?)?
    /// The journal that the run keeps or resumes; nil for none.
    public var journal: FleetJournal?

    /// No options, except for the given values.
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
    /// The host's name in its set.
    public let host: FleetHost
    /// The name or address to connect to; initially ``FleetHost/name``.
    public var address: String
    /// The port; initially that of ``host``, or 22.
    public var port: Int
    /// The user to log in as; nil is an error.
    public var user: String?
    /// Which host keys to trust and how to authenticate.
    public var configuration: SSHConnectionConfiguration
    /// How its command is run. ``FleetLimits/outputLimit`` replaces the output limit in it.
    public var command = SSHCommandOptions()

    init(_ host: FleetHost, user: String?, _ configuration: SSHConnectionConfiguration) {
        self.host = host
        address = host.name
        port = host.port ?? 22
        self.user = host.user ?? user
        self.configuration = configuration
    }

    /// - Throws: `SSHError`, `ssh.local.usage`.
    var access: HostAccessSettings {
        get throws {
            guard let user else {
                throw UsageProblem(
                    field: "user", problem: "\(host.name) names none; write user@\(host.name), or give a user for all hosts"
                )
                .verdict(ofSubcommand: nil)
            }
            var access = HostAccessSettings(try SSHEndpoint(host: address, port: port, user: user), configuration)
            access.options = command
            return access
        }
    }
}
