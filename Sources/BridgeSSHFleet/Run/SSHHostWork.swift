package import BridgeSSH
internal import ErrorCore
internal import SSHRun
internal import Synchronization

/// How one host is reached.
package struct HostReach: Sendable {
    package var endpoint: SSHEndpoint
    package var configuration: SSHConnectionConfiguration
    /// How its command is run.
    package var options = SSHCommandOptions()

    package init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration) {
        self.endpoint = endpoint
        self.configuration = configuration
    }
}

/// Connects to a host, logs in, and runs the program there.
package struct SSHHostWork: HostWork {
    /// - Throws: `SSHError`, `UsageProblem`.
    package typealias Reach = @Sendable (_ host: String) throws -> HostReach
    /// What is done with a connection in place of the program.
    package typealias Body = @Sendable (SSHConnection, _ host: String) async throws -> Void

    private let program: FleetJob
    private let body: Body?
    private let reach: Reach
    private let hops: SSHHopPool
    private let agents: SharedAgents
    /// Reports what happens while a host is connected to; nil for nothing.
    private let observer: (@Sendable (_ host: String) -> any SSHRunObserver)?

    package init(
        _ program: FleetJob, hops: SSHHopPool, agents: SharedAgents, body: Body? = nil,
        observer: (@Sendable (_ host: String) -> any SSHRunObserver)? = nil, reach: @escaping Reach
    ) {
        self.program = program
        self.body = body
        self.hops = hops
        self.agents = agents
        self.observer = observer
        self.reach = reach
    }

    package func perform(_ attempt: HostAttempt) async -> AttemptReport {
        let secrets = KnownSecrets()
        program.sudo.map { secrets.add($0) }
        let observer = observer?(attempt.host)
        let timeline = Timeline(observer: observer, secrets: secrets)
        var report = AttemptReport(.cancelled(signal: nil))
        do {
            let (connection, options) = try await connect(attempt, timeline, &report)
            // What was started at the server has to be ended in order from now on.
            attempt.control.isConnected(true)
            await attempt.loggedIn()
            do {
                report.end = try await perform(on: connection, attempt, options, &report)
            } catch {
                report.end = attempt.control.end(of: error)
            }
            report.ranNothing = program.command == nil && body == nil
            report.direction = program.transfer?.direction
            timeline.end()
            await connection.close()
        } catch {
            report.end = attempt.control.end(of: error)
        }
        report.timings = timeline.timings
        return report
    }

    /// - Returns: the connection, and how a command is run on it.
    private func connect(_ attempt: HostAttempt, _ timeline: Timeline, _ report: inout AttemptReport) async throws -> (
        SSHConnection, SSHCommandOptions
    ) {
        let permit = AttemptPermit(attempt)
        let reach = try adaptedReach(attempt, permit)
        report.endpoint = reach.endpoint
        do {
            let connection = try await SSHClient.connect(
                to: reach.endpoint, configuration: reach.configuration, sharing: hops, timeline: timeline)
            return (connection, reach.options)
        } catch let error as SSHError where permit.wasDenied && error.stage == .authentication {
            throw SSHError(
                code: .authNoCredentials,
                message: "\(reach.endpoint.label) wants a password, which was not offered: other hosts have refused it.",
                hint: "Correct the password, and run the hosts again that are left.", confidence: .exact, retry: .afterFix,
                evidence: error.evidence)
        }
    }

    /// How the host is reached in this attempt. Not a part of what waits for the connection, which would keep each copy of the
    /// configuration in memory meanwhile.
    @inline(never)
    private func adaptedReach(_ attempt: HostAttempt, _ permit: AttemptPermit) throws -> HostReach {
        var reach = try reach(attempt.host)
        reach.configuration.executor = attempt.executor
        reach.configuration.agents = agents
        reach.configuration.credentials.passwordPermit = permit
        for index in reach.configuration.jumpHosts.indices { reach.configuration.jumpHosts[index].configuration.agents = agents }
        return reach
    }

    private func perform(
        on connection: SSHConnection, _ attempt: HostAttempt, _ options: SSHCommandOptions, _ report: inout AttemptReport
    ) async throws -> RunOutcome.End {
        await connection.limitWindows(to: attempt.window)
        if let transfer = program.transfer { return try await transfer.perform(on: connection, attempt, &report) }
        if let body {
            try await attempt.arm()
            try await body(connection, attempt.host)
            return .ended(.exited(0), nil)
        }
        guard let command = program.command else { return .ended(.exited(0), nil) }
        try await attempt.arm()
        guard let password = program.sudo else {
            let input = program.input.isEmpty ? SSHStandardInput.none : .bytes(program.input)
            return try await run(command, input, (attempt.output, attempt.error), on: connection, attempt, options)
        }
        let sudo = SudoConversation(attempt, password: password, input: program.input)
        do {
            let end = try await run(
                sudo.command(command), sudo.standardInput, (attempt.output, sudo), on: connection, attempt, options)
            await sudo.flush()
            return end
        } catch {
            await sudo.flush()
            throw error
        }
    }

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

/// Asks for the turn of an attempt's host.
private final class AttemptPermit: PasswordPermit {
    private let attempt: HostAttempt
    private let denied = Mutex(false)

    init(_ attempt: HostAttempt) { self.attempt = attempt }

    var wasDenied: Bool { denied.withLock { $0 } }

    func mayOffer() async -> Bool {
        let mayOffer = await attempt.mayOffer(.login)
        denied.withLock { $0 = !mayOffer }
        return mayOffer
    }

    func answered(accepted: Bool) async { await attempt.answered(.login, accepted: accepted) }
}
