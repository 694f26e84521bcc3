internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A diagnosis of a connection that OpenSSH's ssh makes: the observations come from ssh's log and the output of the probe
/// command. Findings that need libssh2's own view are absent.
package struct TracedDiagnosis: Sendable {
    /// One finished run of ssh with the probe command.
    package struct Run: Sendable {
        package var details = SSHTraceDetails()
        /// The destination's login.
        package var login: SSHAuthenticationEvidence?
        /// The verdict; nil if the command exited with status 0.
        package var error: SSHError?
        /// Nil if the command did not exit.
        package var exitStatus: Int?

        package init() {}
    }

    private let endpoint: SSHEndpoint
    private let configuration: SSHConnectionConfiguration
    /// The options for the probe command.
    package let options: SSHCommandOptions
    /// The jump hosts and the destination.
    private let hops: [Hop]
    /// Records the stages of the run.
    package let timeline: Timeline
    private let start = ContinuousClock.now
    private let probe = ShellProbe()
    /// The output of the probe.
    package let output: OutputCollector
    package let errors: OutputCollector
    private let answered = AnswerTime()

    package init(_ endpoint: SSHEndpoint, _ configuration: SSHConnectionConfiguration, _ options: SSHCommandOptions) {
        self.endpoint = endpoint
        self.configuration = configuration
        self.options = DiagnosisRun.probeOptions(options)
        hops = Hop.hops(to: endpoint, configuration)
        timeline = Timeline(observer: configuration.observer, logger: configuration.logger)
        output = OutputCollector(.standardOutput, limit: self.options.outputLimit)
        errors = OutputCollector(.standardError, limit: self.options.outputLimit)
    }

    package var command: String { probe.command }

    /// Notes when the server's time arrives. Call it after output was collected.
    package func outputArrived() {
        answered.note { probe.hasTime(output.bytes) }
    }

    /// The diagnosis of a run that has ended.
    package func diagnosis(of run: Run) async -> SSHDiagnosis {
        var seen = Observations(endpoint: endpoint, configuration: configuration)
        let destination = hops[hops.count - 1]
        let isDirect = seen.hops.isEmpty && seen.proxyCommand == nil
        await note(run, at: destination, isDirect: isDirect)
        seen.evidence = evidence(run)
        if run.commandWasSent { seen.shell = reading(run) }
        seen.error = hasSucceeded(run, seen) ? nil : run.error.map { placed($0, run) }
        if let error = seen.error, error.evidence.hop?.isJumpHost == true { seen.evidence = nil }
        notePassedHops(seen.error, run)
        if isDirect { seen.otherAddresses = await otherAddresses(after: seen.error, timeline.facts(of: destination)) }
        return seen.diagnosis(timeline, of: hops, since: start)
    }

    // MARK: The command

    /// The login shell may print a secret too.
    private func reading(_ run: Run) -> ShellReading {
        let secrets = timeline.secrets
        var reading = probe.reading(
            standardOutput: secrets.masking(output.bytes), standardError: secrets.masking(errors.bytes))
        reading.clock = clock(reading, run.details.commandSentAt)
        return reading
    }

    /// Whether the command ran, whatever its exit status.
    private func hasSucceeded(_ run: Run, _ seen: Observations) -> Bool {
        run.exitStatus != nil && (seen.shell?.isComplete == true || seen.evidence?.isOnWindows == true)
    }

    private func clock(_ reading: ShellReading, _ sentAt: Double?) -> ClockComparison? {
        guard let time = reading.serverTime, let sentAt, let answeredAt = answered.time else { return nil }
        let sent = start + .seconds(sentAt)
        // Read the local clock once: it may be changed between two readings.
        let asked = Date().timeIntervalSince1970 - sent.duration(to: .now).seconds
        return ClockComparison(serverTime: time, asked: asked, seconds: max(0, sent.duration(to: answeredAt).seconds))
    }

    // MARK: The connection

    private func note(_ run: Run, at destination: Hop, isDirect: Bool) async {
        let details = run.details
        let tried = details.connects.map(\.address)
        let resolved = isDirect && !tried.isEmpty && !Task.isCancelled ? await addresses() : []
        let keys = considerations(details)
        let known = details.hostKey.flatMap { knownLine($0) }
        timeline.note(destination) { facts in
            facts.addresses = resolved + tried.filter { !resolved.contains($0) }
            facts.connects = details.connects
            facts.keys = keys
            facts.holdsPassword = configuration.credentials.password != nil
            facts.hostKeyWasNew = details.isNewHostKey
            facts.hostNameIsHashed = known?.isHashed ?? false
            facts.isTunnelled = !hops.dropLast().isEmpty && details.identification != nil
        }
        if let proxyStart = details.proxyStart { timeline.note(hops[0]) { $0.proxyStart = proxyStart } }
    }

    /// The addresses of the destination, which ssh does not log.
    private func addresses() async -> [String] {
        let limit = min(configuration.timeouts.resolve.boundedSeconds, DiagnosisRun.probeTimeLimit)
        return await AddressProbe.addresses(
            of: endpoint.host, port: endpoint.port, configuration.addressFamily, within: limit)
    }

    private func otherAddresses(after error: SSHError?, _ facts: ConnectionFacts) async -> [AddressOutcome] {
        switch error?.evidence.event {
        case .cancelled?: return []
        case .deadlinePassed(let deadline)? where error?.stage == .connect: return facts.unanswered(within: deadline.seconds)
        default:
            return await AddressProbe.outcomes(
                of: facts.untriedAddresses,
                within: min(configuration.timeouts.connect.boundedSeconds, DiagnosisRun.probeTimeLimit)
            )
        }
    }

    // MARK: Jump hosts

    /// The verdict with the number of the jump host that it names.
    private func placed(_ error: SSHError, _ run: Run) -> SSHError {
        guard hops.count > 1, error.evidence.hop == nil, run.details.identification == nil,
            let hop = hops.dropLast().first(where: { Self.names(error.evidence, $0.endpoint) })
        else { return error }
        var evidence = error.evidence
        evidence.hop = hop.place
        return SSHError(
            code: error.code, message: error.message, hint: error.remedyText, confidence: error.confidence,
            alternatives: error.alternatives, retry: error.retry, cause: error.cause, evidence: evidence)
    }

    private static func names(_ evidence: SSHEvidence, _ endpoint: SSHEndpoint) -> Bool {
        evidence.port == endpoint.port && [endpoint.host, endpoint.name].contains(evidence.host)
    }

    /// The jump hosts before the failure are passed: all, once the destination has identified itself.
    private func notePassedHops(_ error: SSHError?, _ run: Run) {
        let failed = error?.evidence.hop?.number ?? (run.details.identification == nil ? 0 : hops.count)
        for hop in hops.dropLast() where hop.number < failed {
            timeline.note(hop) { $0.login = SSHAuthenticationEvidence() }
        }
    }

    // MARK: Evidence

    /// The evidence about the destination: that of the failure, completed from the log.
    private func evidence(_ run: Run) -> SSHEvidence {
        let details = run.details
        var evidence =
            run.error?.evidence
            ?? SSHEvidence(
                event: .commandEnded, stage: .command, host: endpoint.host, port: endpoint.port, user: endpoint.user)
        evidence.identification = evidence.identification ?? details.identification
        if evidence.linesBeforeIdentification.isEmpty {
            evidence.linesBeforeIdentification = details.linesBeforeIdentification
        }
        evidence.serverAlgorithms = evidence.serverAlgorithms ?? details.serverAlgorithms
        evidence.chosenAlgorithms = evidence.chosenAlgorithms ?? details.chosenAlgorithms
        evidence.hostKey = evidence.hostKey ?? hostKey(details)
        if details.acceptedMethod != nil || evidence.authentication == nil { evidence.authentication = login(run) }
        if run.commandWasSent {
            var command = evidence.command ?? SSHCommandEvidence(command: probe.command)
            if command.progress == .notSent { command.progress = .accepted }
            command.exitStatus = command.exitStatus ?? run.exitStatus
            evidence.command = command
        } else if details.acceptedMethod == nil {
            evidence.command = nil
        }
        return timeline.secrets.masking(evidence)
    }

    private func login(_ run: Run) -> SSHAuthenticationEvidence? {
        guard var login = run.login, let method = run.details.acceptedMethod else { return run.login }
        // A login without any credential: the server accepted the method "none".
        if method == "none" { return login }
        if let last = login.attempts.indices.last, login.attempts[last].method == method,
            login.attempts[last].outcome == .unanswered
        {
            login.attempts[last].outcome = .accepted
        } else {
            login.attempts.append(SSHAuthenticationAttempt(method: method, credential: method, outcome: .accepted))
        }
        return login
    }

    // MARK: The host key

    private func hostKey(_ details: SSHTraceDetails) -> SSHHostKeyEvidence? {
        guard let key = details.hostKey, details.acceptedMethod != nil || details.knownAt != nil else { return nil }
        let line = knownLine(key)
        let place = line?.location ?? details.knownAt
        var evidence = SSHHostKeyEvidence(
            algorithm: key.type, fingerprint: key.fingerprint,
            verdict: place.map { .trusted($0) } ?? .unknown(skippedLines: 0, certificateAuthority: nil),
            policy: configuration.hostKeyPolicy)
        evidence.bits = line.flatMap { (try? SSHPublicKey(blob: $0.key.blob))?.bits }
        return evidence
    }

    private func knownLine(_ key: (type: String, fingerprint: String)) -> SSHKnownHostsEntry? {
        let name = configuration.knownHostName(of: endpoint)
        guard let known = try? configuration.knownHosts.load(policy: .acceptNew) else { return nil }
        return known.lines(for: name.host, port: name.port).first {
            $0.marker == .trusted && $0.key.fingerprint == key.fingerprint
        }
    }

    // MARK: Keys

    /// The keys that ssh considered, then the identities without a usable file.
    private func considerations(_ details: SSHTraceDetails) -> [KeyConsideration] {
        var missing: [KeyConsideration] = []
        for identity in configuration.credentials.identities where identity.signer == nil {
            do throws(SSHKeyProblem) { _ = try KeyFile.read(path: identity.path) } catch {
                missing.append(
                    KeyConsideration(
                        path: identity.path,
                        use: identity.isDefault && error.reason == .notFound ? .missing : .unusable(error)))
            }
        }
        let labels = missing.map(\.label)
        return details.keys.filter { $0.fingerprint != nil || !labels.contains($0.label) }.map(Self.consideration) + missing
    }

    private static func consideration(_ key: SSHTraceDetails.Key) -> KeyConsideration {
        let file = key.isFromAgent ? nil : (try? KeyFile.read(path: key.label))?.publicKey
        if let file, key.fingerprint == nil || file.fingerprint == key.fingerprint {
            return KeyConsideration(file, label: key.label, isFromAgent: false, use: .candidate)
        }
        var consideration = KeyConsideration(path: key.label, use: .candidate)
        consideration.isFromAgent = key.isFromAgent
        consideration.fingerprint = key.fingerprint
        consideration.algorithm = key.type.map { PublicKeyAlgorithm.algorithm(ofType: $0) }
        return consideration
    }
}

extension TracedDiagnosis.Run {
    /// Whether the probe was sent, so that its output is evidence.
    fileprivate var commandWasSent: Bool { details.commandSentAt != nil }
}

/// When the server's time arrived.
private final class AnswerTime: Sendable {
    private let first = Mutex<ContinuousClock.Instant?>(nil)

    var time: ContinuousClock.Instant? { first.withLock { $0 } }

    func note(_ hasArrived: () -> Bool) {
        guard time == nil, hasArrived() else { return }
        first.withLock { if $0 == nil { $0 = .now } }
    }
}
