import BridgeSSH
import BridgeSSHFleet
import SSHRun
import Synchronization

/// Hosts that run a closure, without a network.
struct ScriptedWork: HostRunner {
    let script: @Sendable (HostAttempt) async throws -> SSHTermination

    func perform(_ attempt: HostAttempt) async -> AttemptReport {
        do {
            let termination = try await script(attempt)
            guard case .exited(let status) = termination, status != 0 else { return AttemptReport(.ended(termination, nil)) }
            var command = SSHCommandEvidence(command: "true")
            command.progress = .accepted
            command.exitStatus = status
            return AttemptReport(.ended(termination, Self.failure(.commandEnded, at: .command, command)))
        } catch let failure as SSHError {
            return AttemptReport(.failed(failure))
        } catch is CancellationError {
            return AttemptReport(.cancelled(signal: nil))
        } catch {
            return AttemptReport(.unforeseen("\(error)"))
        }
    }

    static func failure(_ event: SSHEvidence.Event, at stage: SSHStage, _ command: SSHCommandEvidence? = nil) -> SSHError {
        var evidence = SSHEvidence(event: event, stage: stage, host: "host", user: "alice")
        evidence.command = command
        return SSHFailureClassifier.classify(evidence)
    }

    /// A connection that the host refuses.
    static var refused: SSHError {
        var evidence = SSHEvidence(event: .connectionFailed, stage: .connect, host: "host", user: "alice")
        evidence.addresses = [SSHAddressFailure(address: "192.0.2.1:22", systemError: 111)]
        return SSHFailureClassifier.classify(evidence)
    }

    /// The connection is lost while the command runs.
    static var lost: SSHError {
        var command = SSHCommandEvidence(command: "true")
        command.progress = .accepted
        return failure(.streamEnded, at: .command, command)
    }
}

/// A journal that remembers the written results, and can refuse one.
final class MemoryJournal: RunJournal {
    struct State {
        var armed: [String] = []
        var recorded: [String: [FleetHostOutcome]] = [:]
        var summaries: [FleetSummary] = []
    }
    let state = Mutex(State())
    let failsAfter: Int

    init(failsAfter: Int = .max) { self.failsAfter = failsAfter }

    struct Full: Error {}

    func arm(_ host: String) async throws {
        try state.withLock { state in
            guard state.armed.count < failsAfter else { throw JournalProblem(.full, "/j", "no space is left").verdict }
            state.armed.append(host)
        }
    }

    func record(_ result: FleetHostResult) async throws {
        state.withLock { $0.recorded[result.host, default: []].append(result.outcome) }
    }

    func finish(_ summary: FleetSummary) async throws { state.withLock { $0.summaries.append(summary) } }
}

/// A journal that accepts the first result only when all other hosts wait for it or for memory. It remembers the most output that
/// waited for it.
final class SlowJournal: RunJournal {
    private let state = Mutex((bytes: 0, most: 0, count: 0))
    /// How many of the other hosts wait for memory.
    let waitingCount = Mutex<@Sendable () async -> Int>({ 0 })
    private let others: Int

    init(others: Int) { self.others = others }

    /// The most bytes of output that were waiting for it.
    var most: Int { state.withLock { $0.most } }

    func arm(_ host: String) async throws {}

    func record(_ result: FleetHostResult) async throws {
        let count = result.standardOutput.bytes.count
        let isFirst = state.withLock { state in
            state.bytes += count
            state.most = max(state.most, state.bytes)
            state.count += 1
            return state.count == 1
        }
        while isFirst, state.withLock({ $0.count }) - 1 + (await waitingCount.withLock { $0 }()) < others {
            try await Task.sleep(for: .milliseconds(5))
        }
        state.withLock { $0.bytes -= count }
    }

    func finish(_ summary: FleetSummary) async throws {}
}

/// A run of scripted hosts, and all its events.
struct ScriptedRun {
    var hosts = 20
    var output = OutputPolicy(limit: 1 << 20, streams: true)
    var memory = 64 << 20
    var journal: MemoryJournal?
    var change: (inout EnginePlan) -> Void = { _ in }

    func setting(_ script: @escaping @Sendable (HostAttempt) async throws -> SSHTermination) -> FleetRunConfiguration {
        var plan = EnginePlan(hosts: hosts)
        change(&plan)
        var setting = FleetRunConfiguration(
            run: "test", names: (0..<hosts).map { "h\($0)" }, command: "true", plan: plan, work: ScriptedWork(script: script),
            output: output)
        setting.memory = memory
        setting.journal = journal
        return setting
    }

    /// All events of a run to its end.
    func events(_ script: @escaping @Sendable (HostAttempt) async throws -> SSHTermination) async throws -> [FleetEvent] {
        try await Fleet.withRun(setting(script)) { run in
            var events: [FleetEvent] = []
            for try await event in run.events { events.append(event) }
            return events
        }
    }
}

extension [FleetEvent] {
    var ends: [FleetHostResult] {
        compactMap { if case .ended(let result) = $0 { result } else { nil } }
    }
    var summary: FleetSummary? {
        if case .summary(let summary)? = last { summary } else { nil }
    }
}
