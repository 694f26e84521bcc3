package import BridgeSSH
internal import ErrorCore
package import SSHRun
internal import Synchronization

/// The connection parameters of one host.
package struct HostAccessSettings: Sendable {
    package var endpoint: SSHEndpoint
    package var configuration: SSHConnectionConfiguration
    /// The options of the host's command.
    package var options = SSHCommandOptions()

    package init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        self.endpoint = endpoint
        self.configuration = configuration
    }
}

/// Connects to a host, logs in, and runs the program there.
package struct SSHHostRunner: HostRunner {
    /// - Throws: `SSHError`, `UsageProblem`.
    package typealias AccessLookup = @Sendable (_ host: String) throws -> HostAccessSettings
    /// The action on a connection instead of running the program.
    package typealias Body = @Sendable (SSHConnection, _ host: String) async throws -> Void

    private let program: FleetJob
    private let body: Body?
    private let access: AccessLookup
    private let connections: FleetConnections
    /// Reports the progress of a host's connection; nil reports nothing.
    private let observer: (@Sendable (_ host: String) -> any SSHRunObserver)?

    package init(
        _ program: FleetJob, _ connections: FleetConnections, body: Body? = nil,
        observer: (@Sendable (_ host: String) -> any SSHRunObserver)? = nil, access: @escaping AccessLookup
    ) {
        self.program = program
        self.body = body
        self.connections = connections
        self.observer = observer
        self.access = access
    }

    // The functions below are separate and not inlined, to keep stack frames small: a frame that waits for a host reserves space
    // for all variables of its function, and every host has such frames.

    package func perform(_ attempt: HostAttempt) async -> AttemptReport {
        let timeline = timeline(of: attempt)
        var report = AttemptReport(.cancelled(signal: nil))
        do {
            let (connection, options) = try await connect(attempt, timeline, &report)
            await use(connection, options, attempt, timeline, &report)
            timeline.end()
            await connection.close()
            report.hostKeyUpdate = connection.hostKeyUpdate
            report.refusedVariables = timeline.refused(program.variables)
        } catch {
            end(&report, attempt, error)
            await reportRefusedOffer(of: error, attempt)
        }
        report.timings = timeline.timings
        return report
    }

    /// Reports the key exchanges of a host that runs no command, even if it did not accept the login.
    @inline(never)
    private func reportRefusedOffer(of error: any Error, _ attempt: HostAttempt) async {
        guard isCheck, program.reportsOffer, let offer = (error as? SSHError).flatMap({ PostQuantumOffer($0.evidence) }) else {
            return
        }
        // An earlier attempt has already reported the offer.
        guard attempt.output.kept.bytes.isEmpty else { return }
        try? await attempt.write(Array("\(offer.line)\n".utf8), to: .standardOutput)
    }

    /// Whether the task is only to log in.
    private var isCheck: Bool { program.command == nil && program.transfer == nil && body == nil }

    @inline(never)
    private func timeline(of attempt: HostAttempt) -> Timeline {
        let secrets = KnownSecrets()
        program.sudo?.known.map { secrets.add($0) }
        return Timeline(observer: observer?(attempt.host), secrets: secrets)
    }

    @inline(never)
    private func end(_ report: inout AttemptReport, _ attempt: HostAttempt, _ error: any Error) {
        report.end = attempt.control.end(of: error)
    }

    /// - Returns: the connection, and the options for the command on it.
    @inline(never)
    private func connect(_ attempt: HostAttempt, _ timeline: Timeline, _ report: inout AttemptReport) async throws -> (
        SSHConnection, SSHCommandOptions
    ) {
        let permit = AttemptPermit(attempt)
        let (dialer, options) = try dialer(attempt, permit, timeline)
        report.endpoint = dialer.endpoint
        do {
            return (try await SSHClient.connect(dialer), options)
        } catch let error as SSHError where error.stage == .authentication {
            guard let turn = permit.turn, turn != .offered else { throw error }
            report.repeatsEarlier = turn == .refusedHere
            throw Self.withheld(error, dialer.endpoint, turn)
        }
    }

    @inline(never)
    private static func withheld(_ error: SSHError, _ endpoint: SSHEndpoint, _ turn: PasswordTurn) -> SSHError {
        let reason =
            turn == .refusedHere
            ? "an earlier attempt sent it to this host, which did not accept it" : "other hosts have refused it"
        return SSHError(
            code: .authNoCredentials,
            message: "\(endpoint.label) wants a password, which was not offered: \(reason).",
            hint: "Correct the password, and run the hosts again that are left.", confidence: .exact, retry: .afterFix,
            evidence: error.evidence)
    }

    /// The connector to the host in this attempt, and the options for the command.
    @inline(never)
    private func dialer(
        _ attempt: HostAttempt, _ permit: AttemptPermit, _ timeline: Timeline
    ) throws -> (Dialer, SSHCommandOptions) {
        var access = try access(attempt.host)
        if access.configuration.eventLoopGroup == nil { access.configuration.executor = attempt.executor }
        connections.share(with: &access.configuration)
        access.configuration.credentials.passwordPermit = permit
        let dialer = Dialer(
            endpoint: access.endpoint, configuration: access.configuration, timeline: timeline, sharedHops: connections.hops)
        return (dialer, access.options)
    }

    @inline(never)
    private func use(
        _ connection: SSHConnection, _ options: SSHCommandOptions, _ attempt: HostAttempt, _ timeline: Timeline,
        _ report: inout AttemptReport
    ) async {
        // From here on, everything that was started on the server must be ended in order.
        attempt.control.isConnected(true)
        await attempt.loggedIn()
        do {
            report.end = try await perform(on: connection, attempt, options, timeline, &report)
        } catch {
            end(&report, attempt, error)
        }
        report.postQuantum = await connection.session.postQuantumOffer
        report.isLoginOnly = program.command == nil && body == nil
        report.direction = program.transfer?.direction
    }

    private func perform(
        on connection: SSHConnection, _ attempt: HostAttempt, _ options: SSHCommandOptions, _ timeline: Timeline,
        _ report: inout AttemptReport
    ) async throws -> RunOutcome.End {
        await connection.limitWindows(to: attempt.window)
        if program.transfer != nil { return try await copy(on: connection, attempt, timeline, &report) }
        if let body {
            try await attempt.arm()
            try await body(connection, attempt.host)
            return .ended(.exited(0), nil)
        }
        guard let command = program.command else { return try await check(connection, attempt) }
        try await attempt.arm()
        if let shell = program.shell { return await typed(command, shell, on: connection, attempt, options, &report) }
        if let password = program.sudo {
            return try await runAsRoot(command, password, timeline.secrets, on: connection, attempt, options)
        }
        return try await run(
            command, program.input.standardInput, (attempt.output, attempt.error), on: connection, attempt, options)
    }

    /// Reports the facts about a host that runs no command.
    @inline(never)
    private func check(_ connection: SSHConnection, _ attempt: HostAttempt) async throws -> RunOutcome.End {
        if program.reportsOffer, let offer = await connection.session.postQuantumOffer {
            try await attempt.write(Array("\(offer.line)\n".utf8), to: .standardOutput)
        }
        return .ended(.exited(0), nil)
    }

    /// Types the command into a device's shell.
    @inline(never)
    private func typed(
        _ command: String, _ shell: SSHShellOptions, on connection: SSHConnection, _ attempt: HostAttempt,
        _ options: SSHCommandOptions, _ report: inout AttemptReport
    ) async -> RunOutcome.End {
        let run = ShellRun(
            command, shell, options, streams: .passing(attempt.output, attempt.error), control: attempt.control
        ) { attempt.control.running($0, hasTerminal: false) }
        let (end, evidence) = await run.perform(on: connection)
        report.shell = evidence
        return end
    }

    @inline(never)
    private func copy(
        on connection: SSHConnection, _ attempt: HostAttempt, _ timeline: Timeline, _ report: inout AttemptReport
    ) async throws -> RunOutcome.End {
        guard let transfer = program.transfer else { return .ended(.exited(0), nil) }
        let sudo = program.sudo.map {
            SudoSFTP(on: connection, timeline, HostSudoPermit(attempt: attempt), password: $0)
        }
        return try await transfer.perform(on: connection, through: sudo, attempt, &report)
    }

    @inline(never)
    private func runAsRoot(
        _ command: String, _ password: SudoPassword, _ secrets: KnownSecrets, on connection: SSHConnection,
        _ attempt: HostAttempt,
        _ options: SSHCommandOptions
    ) async throws -> RunOutcome.End {
        let sudo = SudoConversation(
            HostSudoPermit(attempt: attempt), password: password, secrets, input: program.input.reader(), to: attempt.error)
        return try await sudo.perform(at: connection.endpoint) { sudo in
            try await run(sudo.command(command), sudo.standardInput, (attempt.output, sudo), on: connection, attempt, options)
        }
    }

    @inline(never)
    private func run(
        _ command: String, _ input: SSHStandardInput, _ sinks: (any OutputSink, any OutputSink), on connection: SSHConnection,
        _ attempt: HostAttempt, _ options: SSHCommandOptions
    ) async throws -> RunOutcome.End {
        let run = CommandRun(
            .command(command), options: options, input: input, streams: .passing(sinks.0, sinks.1), waiting: nil,
            began: { attempt.control.running($0, hasTerminal: false) }, ended: { attempt.control.finished() })
        return try await run.perform(on: connection)
    }
}

/// Asks for the turn of an attempt's host to use the sudo password.
package struct HostSudoPermit: SudoPermit {
    let attempt: HostAttempt

    package init(attempt: HostAttempt) { self.attempt = attempt }

    package func mayAnswer() async -> SudoDecision {
        switch await attempt.turn(.sudo) {
        case .offered: .offered
        case .refusedHere: .refusedBefore
        case .refusedElsewhere: .withheld("other hosts have refused it")
        case nil: .withheld(nil)
        }
    }

    package func unused() async { await attempt.left(.sudo) }

    package func answered(accepted: Bool) async { await attempt.answered(.sudo, accepted: accepted) }
}

/// Asks for the turn of an attempt's host to use a password.
private final class AttemptPermit: PasswordPermit {
    private let attempt: HostAttempt
    private let given = Mutex<PasswordTurn?>(nil)

    init(_ attempt: HostAttempt) { self.attempt = attempt }

    /// The decision; nil if there was none.
    var turn: PasswordTurn? { given.withLock { $0 } }

    func mayOffer() async -> Bool {
        let turn = await attempt.turn(.login)
        given.withLock { $0 = turn }
        return turn == .offered
    }

    func unused() async { await attempt.left(.login) }

    func answered(accepted: Bool) async { await attempt.answered(.login, accepted: accepted) }
}

/// What the hosts of a run share: connections to jump hosts and to agents, and host keys that were presented.
package struct FleetConnections: Sendable {
    package let hops: SSHHopPool
    package let agents: SharedAgents
    package let seenKeys = SeenHostKeys()

    /// Lets a connection use them, with all its hops.
    func share(with configuration: inout SSHConnectionConfiguration) {
        (configuration.agents, configuration.seenKeys) = (agents, seenKeys)
        for index in configuration.jumpHosts.indices { share(with: &configuration.jumpHosts[index].configuration) }
    }

    /// Lends the connections to `body`, and closes them when it ends, in whatever way.
    ///
    /// - Parameter limit: the number of connections to each jump host, from 1.
    /// - Throws: what `body` throws.
    package static func with<Result>(
        perJumpHost limit: Int, isolation: isolated (any Actor)? = #isolation,
        _ body: (FleetConnections) async throws -> Result
    ) async throws -> Result {
        var poolLimits = SSHHopPool.Limits()
        poolLimits.connectionsPerHop = max(1, limit)
        let agents = SharedAgents()
        do {
            let result = try await SSHHopPool.withHops(limits: poolLimits) { hops in
                try await body(FleetConnections(hops: hops, agents: agents))
            }
            await agents.close()
            return result
        } catch {
            await agents.close()
            throw error
        }
    }
}
