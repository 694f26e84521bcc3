import BridgeSSH
import ErrorCore
import ErrorCoreTesting
import Synchronization
import Testing

@testable import SSHRun

@Suite("A run as a value") struct RunTests {
    @Test("ten thousand runs at once share nothing") func many() async throws {
        let count = 10_000
        // Every run waits in its carrier until all have arrived.
        let outcomes = try await withThrowingTaskGroup(of: (Int, RunOutcome, String?).self) { group in
            let gate = Gate(count)
            for number in 0..<count {
                let plan = try Runs.plan("host\(number)", command: "echo \(number)")
                group.addTask {
                    let control = RunControl()
                    let carrier = ScriptedCarrier { _, attempt in
                        await gate.pass()
                        // A signal to one run does not affect the others.
                        if number % 1000 == 7 {
                            attempt.control.end(by: "TERM")
                            return .cancelled(signal: attempt.control.signal)
                        }
                        return .ended(.exited(number % 2), nil)
                    }
                    let outcome = await Run(
                        plan, Runs.context(control), streams: .collecting(limit: 100), carrier: carrier
                    ).perform()
                    let report = RunConclusion(plan, outcome).report
                    #expect(report.host == "host\(number)" && report.command == "echo \(number)")
                    return (number, outcome, control.signal)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == count)
        for (number, outcome, signal) in outcomes {
            if number % 1000 == 7 {
                guard case .cancelled("TERM") = outcome.end else {
                    Issue.record("\(number): \(outcome.end)")
                    continue
                }
            } else {
                guard case .ended(.exited(number % 2), nil) = outcome.end else {
                    Issue.record("\(number): \(outcome.end)")
                    continue
                }
                #expect(signal == nil)
            }
        }
    }

    @Test("attempts use the given clock and the given log") func retries() async throws {
        let clock = ManualClock(skipping: true)
        let log = KeptLog()
        var context = Runs.context(log: log)
        context.clock = clock
        let carrier = ScriptedCarrier { number, attempt in
            number < 3 ? .failed(Runs.refused(attempt.plan.endpoint.host)) : .ended(.exited(0), nil)
        }
        let run = Run(try Runs.plan("web1", retries: 5), context, streams: .collecting(limit: 100), carrier: carrier)
        let outcome = await run.perform()
        #expect(outcome.attempts == 3 && carrier.attempts == 3)
        #expect(clock.sleeps.count == 2)
        #expect(outcome.durationSeconds == clock.sleeps.reduce(.zero, +).inSeconds)
        #expect(log.lines.count == 2 && log.lines.allSatisfy { $0.contains("trying again") })
    }

    @Test("a command that may have run is not run again, unless it is idempotent", arguments: [false, true])
    func effects(isIdempotent: Bool) async throws {
        var evidence = SSHEvidence(local: .helperEnded, stage: .command)
        evidence.command = SSHCommandEvidence(command: "x")
        evidence.command?.progress = .sent
        let error = SSHFailureClassifier.classify(evidence)
        try #require(error.mayHaveTakenEffect && error.retry.allowsRetry)
        let clock = ManualClock(skipping: true)
        var context = Runs.context()
        context.clock = clock
        let carrier = ScriptedCarrier { number, _ in number == 1 ? .failed(error) : .ended(.exited(0), nil) }
        let run = Run(
            try Runs.plan("web1", retries: 1, isIdempotent: isIdempotent), context, streams: .collecting(limit: 100),
            carrier: carrier)
        _ = await run.perform()
        #expect(carrier.attempts == (isIdempotent ? 2 : 1))
    }

    @Test("consumed input that cannot be read again ends the attempts") func input() async throws {
        let log = KeptLog()
        let carrier = ScriptedCarrier { _, attempt in
            attempt.inputUse.markTaken()
            return .failed(Runs.refused("web1"))
        }
        let run = Run(
            try Runs.plan("web1", retries: 5), Runs.context(log: log), streams: .collecting(limit: 100), carrier: carrier)
        let outcome = await run.perform()
        #expect(outcome.attempts == 1)
        #expect(log.lines == ["not tried again: the command's input has been read and is not kept"])
    }

    @Test("after a stalled reader of the output was given up, nothing is tried again") func abandoned() async throws {
        let output = CollectingSink(OutputCollector(.standardOutput, limit: 1))
        let carrier = ScriptedCarrier { _, _ in
            output.abandon()
            return .failed(Runs.refused("web1"))
        }
        var context = Runs.context()
        context.clock = ManualClock(skipping: true)
        let run = Run(try Runs.plan("web1", retries: 5), context, streams: .passing(output, NoOutput()), carrier: carrier)
        #expect(await run.perform().attempts == 1)
    }

    @Test("the end of input that cannot be read again is consumed if a person types it", arguments: [true, false])
    func endOfInput(isTerminal: Bool) async throws {
        let use = InputUse()
        let input = CommandInput(next: { nil }, isRepeatable: false, isTerminal: isTerminal)
        let read = try #require(RunInput(input, wantsTerminal: false, use: use).reader)
        #expect(try await read() == nil)
        #expect(use.isTaken == isTerminal)
    }

    @Test("a command that starts while its run ends is cancelled, with the run's signal", arguments: [true, false])
    func lateCommand(hasTerminal: Bool) async throws {
        let control = RunControl()
        let command = CancelledCommand()
        control.end(by: "HUP")
        control.running(command, hasTerminal: hasTerminal)
        for _ in 0..<1000 where command.signals.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(command.signals == ["HUP"])
    }

    @Test("a missing secret ends the run before the first attempt; an unneeded one is not requested")
    func secrets() async throws {
        struct Missing: AccessSecrets {
            func password() async throws -> SSHSecret? { throw UsageProblem(field: "--password-file", problem: "it is gone") }
            func passphrase() async throws -> SSHSecret? { nil }
            var person: (any SSHInteraction)? { nil }
        }
        let plan = try Runs.plan("web1", secrets: Missing())
        let carrier = ScriptedCarrier { _, _ in .ended(.exited(0), nil) }
        let asking = await Run(plan, Runs.context(), streams: .collecting(limit: 1), carrier: carrier).perform()
        guard case .failed(let error) = asking.end else {
            Issue.record("\(asking.end)")
            return
        }
        #expect(error.code.rawValue == "ssh.local.usage" && carrier.attempts == 0)
        let kept = await Run(
            plan, Runs.context(), streams: .collecting(limit: 1), carrier: carrier, asksFirst: false
        ).perform()
        guard case .ended = kept.end else {
            Issue.record("\(kept.end)")
            return
        }
    }

    @Test("the context makes the connection, whose failure is the run's") func connecting() async throws {
        let seen = Mutex<[String]>([])
        var context = Runs.context()
        context.connect = { endpoint, _, _ in
            seen.withLock { $0.append(endpoint.host) }
            throw Runs.refused(endpoint.host)
        }
        let run = Run(try Runs.plan("web1"), context, streams: .collecting(limit: 1), carrier: ConnectingCarrier())
        let outcome = await run.perform()
        #expect(seen.withLock { $0 } == ["web1"])
        guard case .failed(let error) = outcome.end else {
            Issue.record("\(outcome.end)")
            return
        }
        #expect(error.evidence.host == "web1")
    }
}

/// Holds all callers until a number of them have come.
private actor Gate {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { missing = count }

    func pass() async {
        missing -= 1
        guard missing > 0 else {
            for continuation in waiting { continuation.resume() }
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }
}

/// Keeps the signals with which it was cancelled.
private final class CancelledCommand: ControlledCommand {
    private let kept = Mutex<[String?]>([])

    var signals: [String?] { kept.withLock { $0 } }

    func cancel(signal: String?) { kept.withLock { $0.append(signal) } }
    func resize(columns: Int, rows: Int) {}
}
