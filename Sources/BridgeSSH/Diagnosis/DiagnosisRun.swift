internal import ErrorCore
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One diagnosis: connects, probes, and passes the observations to the rules.
struct DiagnosisRun: Sendable {
    let endpoint: SSHEndpoint
    let configuration: SSHConnectionConfiguration
    let options: SSHCommandOptions
    /// The hops to the endpoint, which is the last one.
    private let hops: [Hop]
    private let timeline: Timeline
    /// Paces the probes, which do not log in.
    private let pace: ScanPace

    /// The time limit for probing an address, in seconds. A later answer is unlikely.
    static let probeTimeLimit = 5.0
    private static let shellTimeLimit = Duration.seconds(30)
    private static let noiseLimit = 1 << 18

    init(endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration, options: SSHCommandOptions) {
        self.endpoint = endpoint
        var configuration = configuration
        configuration.reportsAnnouncedKeys = true
        self.configuration = configuration
        self.options = Self.probeOptions(options)
        hops = Hop.hops(to: endpoint, configuration)
        timeline = Timeline(observer: configuration.observer, logger: configuration.logger)
        pace = ScanPace(of: endpoint, timeLimit: .zero, timeline)
    }

    static func probeOptions(_ options: SSHCommandOptions) -> SSHCommandOptions {
        var options = options
        options.timeout = min(options.timeout ?? shellTimeLimit, shellTimeLimit)
        options.outputLimit = min(options.outputLimit, noiseLimit)
        options.pty = nil
        return options
    }

    func perform() async throws -> SSHDiagnosis {
        let start = ContinuousClock.now
        var seen = Observations(endpoint: endpoint, configuration: configuration)
        do {
            let connection = try await SSHClient.connect(to: endpoint, configuration: configuration, timeline: timeline)
            pace.note(await connection.session.serverSoftware)
            async let others = otherAddresses()
            let probeRun = await probeRun(on: connection)
            (seen.error, seen.evidence, seen.shell) = (probeRun.error, probeRun.evidence, probeRun.reading)
            seen.otherAddresses = await others
            await connection.close()
        } catch let error as SSHError {
            seen.error = error
            // Observations of a jump host do not describe the destination.
            if error.evidence.hop?.isJumpHost != true { seen.evidence = error.evidence }
            seen.otherAddresses = await otherAddresses(after: error)
        }
        seen.library = .loaded()
        return seen.diagnosis(timeline, of: hops, since: start)
    }

    private var facts: ConnectionFacts { timeline.facts(of: hops[hops.count - 1]) }

    /// Probes the addresses that the connection did not try. There are none with a jump host or a ProxyCommand, which
    /// choose the address.
    private func otherAddresses() async -> [AddressOutcome] {
        let facts = facts
        let isConnected = facts.connects.contains { $0.result == .open }
        let open = facts.addresses.filter { address in
            guard let outcome = facts.connects.last(where: { $0.address == address }) else { return true }
            // Its attempt was cancelled because another address was faster.
            return outcome.result == .unanswered && isConnected
        }
        return await AddressProbe.outcomes(
            of: open, within: min(configuration.timeouts.connect.boundedSeconds, Self.probeTimeLimit),
            turn: { [pace] in try? await pace.turn() })
    }

    /// Probes the addresses that remain after a failure. After a timeout none is probed, since that would only repeat the wait.
    private func otherAddresses(after error: SSHError) async -> [AddressOutcome] {
        switch error.evidence.event {
        case .cancelled: return []
        case .deadlinePassed(let deadline) where error.stage == .connect: return facts.unanswered(within: deadline.seconds)
        default: return await otherAddresses()
        }
    }

    // MARK: The command

    private struct ProbeRun {
        var reading: ShellReading?
        var evidence: SSHEvidence?
        var error: SSHError?
    }

    private func probeRun(on connection: SSHConnection) async -> ProbeRun {
        let probe = ShellProbe()
        let output = OutputCollector(.standardOutput, limit: options.outputLimit)
        let error = OutputCollector(.standardError, limit: options.outputLimit)
        let answered = Mutex<MonotonicInstant?>(nil)
        do {
            let outcome = try await connection.execute(probe.command, options: options, standardError: .stream) { execution in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await error.collect(from: execution) }
                    try await output.collect(from: execution) { bytes in
                        answered.withLock { if $0 == nil, probe.hasTime(bytes) { $0 = .now } }
                    }
                    try await group.waitForAll()
                }
            }
            var reading = shellReading(probe, output, error)
            reading.clock = clock(reading, answered.withLock { $0 })
            // Windows shells do not understand the probe command. Their error message shows that commands run.
            let isUnderstood = reading.isComplete || outcome.evidence?.isOnWindows == true
            let hasWorked = if case .exited = outcome.termination { isUnderstood } else { false }
            return ProbeRun(reading: reading, evidence: outcome.evidence, error: hasWorked ? nil : outcome.error)
        } catch let failure as SSHError {
            let reading = shellReading(probe, output, error)
            return ProbeRun(reading: reading, evidence: await evidence(of: failure, on: connection), error: failure)
        } catch {
            let failure = await connection.recorder.error(
                error is CancellationError
                    ? Fault.cancelled : Fault(.internalFailure(problem: "\(error)"), stage: .local), session: connection.session)
            return ProbeRun(evidence: failure.evidence, error: failure)
        }
    }

    /// The login shell may print a secret too.
    private func shellReading(_ probe: ShellProbe, _ output: OutputCollector, _ error: OutputCollector) -> ShellReading {
        let secrets = timeline.secrets
        return probe.reading(standardOutput: secrets.masking(output.bytes), standardError: secrets.masking(error.bytes))
    }

    /// The evidence about the destination, even if an earlier hop failed.
    private func evidence(of failure: SSHError, on connection: SSHConnection) async -> SSHEvidence {
        guard failure.evidence.hop?.isJumpHost == true else { return failure.evidence }
        var evidence = SSHEvidence(
            event: failure.evidence.event, stage: failure.evidence.stage, host: endpoint.host, port: endpoint.port,
            user: endpoint.user)
        evidence.command = failure.evidence.command
        return timeline.secrets.masking(await connection.session.describing(evidence))
    }

    private func clock(_ reading: ShellReading, _ answered: MonotonicInstant?) -> ClockComparison? {
        guard let time = reading.serverTime, let answered, let sent = facts.commandSentAt else { return nil }
        // Read the local clock once: it may be changed between two readings.
        let asked = Date().timeIntervalSince1970 - sent.seconds(to: .now)
        return ClockComparison(serverTime: time, asked: asked, seconds: sent.seconds(to: answered))
    }
}

/// All observations of a diagnosis: the only input of ``DiagnosisRules``.
struct Observations: Sendable {
    var endpoint: SSHEndpoint
    /// The authentication methods that may be tried.
    var methods: [SSHAuthenticationMethod]
    /// Whether a person may be asked for missing credentials.
    var mayAsk: Bool
    /// The ProxyCommand without its secrets, if one carries the connection.
    var proxyCommand: String?
    /// The jump hosts, the nearest first.
    var hops: [ObservedHop]
    /// The observations of the nearest hop, which is the destination if there are no jump hosts.
    var nearest: ConnectionFacts { hops.first?.facts ?? facts }
    var facts = ConnectionFacts()
    /// Seconds in each stage of the destination.
    var durations: [SSHStage: Double] = [:]
    var lastStage: SSHStage?
    /// The loaded libssh2; nil if it was not examined.
    var library: ObservedLibrary?
    /// The evidence about the destination when the command ended, or at the first failure.
    var evidence: SSHEvidence?
    /// The first failure.
    var error: SSHError?
    /// The outcomes for the addresses that the connection did not need.
    var otherAddresses: [AddressOutcome] = []
    /// The login shell's output for the probe command; nil if the command was not sent.
    var shell: ShellReading?
    /// Whether other users can change the known_hosts file with the host key.
    var trustedFileIsWritable = false

    init(endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration) {
        self.endpoint = endpoint
        methods = configuration.credentials.methods
        mayAsk = configuration.interaction != nil
        let chain = Hop.hops(to: endpoint, configuration)
        proxyCommand = (chain[0].configuration.proxyCommand?.command).map(Redactor.standard.text)
        hops = chain.dropLast().map { ObservedHop(endpoint: $0.endpoint, number: $0.number) }
    }

    /// The diagnosis, with what was recorded meanwhile.
    ///
    /// - Parameter chain: the jump hosts and the destination.
    mutating func diagnosis(_ timeline: Timeline, of chain: [Hop], since start: ContinuousClock.Instant) -> SSHDiagnosis {
        for index in hops.indices { hops[index].facts = timeline.facts(of: chain[index]) }
        facts = timeline.facts(of: chain[hops.count])
        durations = timeline.durations
        lastStage = timeline.lastStage
        if case .trusted(let place)? = evidence?.hostKey?.verdict {
            trustedFileIsWritable = KnownHostsIO.isWritableByOthers(path: place.file)
        }
        return SSHDiagnosis(
            endpoint: endpoint, findings: DiagnosisRules.findings(self), error: error,
            durationSeconds: start.duration(to: .now).seconds)
    }

    /// The step to which the first failure belongs; nil if nothing failed.
    var failedStep: SSHDiagnosisStep? {
        guard let error else { return nil }
        if error.evidence.hop?.isJumpHost == true { return .route }
        if case .proxyFailed = error.evidence.event { return .route }
        if case .requestRefused(.exec) = error.evidence.event { return .exec }
        return SSHDiagnosisStep(of: error.stage, last: lastStage)
    }

    /// The outcome for each address, in the resolver's order, without duplicates.
    var addressOutcomes: [AddressOutcome] {
        facts.addresses.compactMap { address in
            (otherAddresses + facts.connects.reversed()).first { $0.address == address }
        }
    }

    var login: SSHAuthenticationEvidence { evidence?.authentication ?? SSHAuthenticationEvidence() }

    /// Whether authentication succeeded.
    var isLoggedIn: Bool { evidence?.command != nil }
}

extension ConnectionFacts {
    /// The addresses that the connection did not try.
    var untriedAddresses: [String] { addresses.filter { address in !connects.contains { $0.address == address } } }

    /// The outcomes for the untried addresses where a deadline passed: a probe would only repeat the wait.
    func unanswered(within seconds: Double) -> [AddressOutcome] {
        untriedAddresses.map { AddressOutcome(address: $0, result: .unanswered, seconds: seconds) }
    }
}

/// A jump host, and the observations of it.
struct ObservedHop: Sendable {
    var endpoint: SSHEndpoint
    /// The number of the hop; 1 is the nearest.
    var number: Int
    var facts = ConnectionFacts()
}

/// The loaded libssh2, with the names of its known defects.
struct ObservedLibrary: Sendable {
    let version: String
    /// The version of the Debian package that contains it, if any.
    let package: String?
    let vulnerabilities: [String]

    static func loaded() -> ObservedLibrary {
        let (version, package, vulnerabilities) = Library.report()
        return ObservedLibrary(version: version, package: package, vulnerabilities: vulnerabilities.map(\.name))
    }
}
