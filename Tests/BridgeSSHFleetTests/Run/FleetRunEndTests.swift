import BridgeSSH
import BridgeSSHFleet
import ErrorCore
import FleetSamples
import SSHRun
import Synchronization
import Testing

@Suite("The early end of a fleet run")
struct FleetRunEndTests {
    @Test("an interrupt cancels the step between two batches")
    func interruptedBetween() async throws {
        var setting = ScriptedRun(hosts: 4) { plan in
            plan.batches = [.count(1)]
            plan.waitsBetween = true
        }.setting { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            return .exited(0)
        }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        setting.between = { _ in
            begin.yield()
            try? await Task.sleep(for: .seconds(600))
            return nil
        }
        let summary = try await Fleet.withRun(setting) { run in
            for await _ in begun { break }
            await run.coordinator.interrupt(by: "INT")
            for try await _ in run.events {}
            return run.summary
        }
        #expect(summary.outcomes[.ok] == 1 && summary.outcomes[.skipped] == 3 && summary.exitStatus == 130)
    }

    @Test("end() ends the run, and every host has its outcome")
    func leaving() async throws {
        let journal = MemoryJournal()
        let run = ScriptedRun(hosts: 40, journal: journal) { $0.parallel = 8 }
        let setting = run.setting { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            try await Task.sleep(for: .seconds(600))
            return .exited(0)
        }
        try await Fleet.withRun(setting) { run in
            while await run.coordinator.running.count < 8 { await Task.yield() }
            while journal.state.withLock({ $0.armed.count }) < 8 { try await Task.sleep(for: .milliseconds(1)) }
            await run.end()
        }
        let recorded = journal.state.withLock { $0.recorded }
        #expect(recorded.count == 40 && recorded.values.allSatisfy { $0.count == 1 })
        #expect(recorded.values.count { $0 == [.skipped] } == 32)
        #expect(journal.state.withLock { $0.summaries.count } == 1)
    }

    @Test("cancelling the task ends the run, and every host has its outcome")
    func cancelling() async throws {
        let journal = MemoryJournal()
        let setting = ScriptedRun(hosts: 40, journal: journal) { $0.parallel = 8 }.setting { attempt in
            await attempt.loggedIn()
            try await Task.sleep(for: .seconds(600))
            return .exited(0)
        }
        let task = Task {
            try await Fleet.withRun(setting) { run in
                for try await event in run.events {
                    if case .started = event { withUnsafeCurrentTask { $0?.cancel() } }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(journal.state.withLock { $0.recorded.count } == 40)
    }

    @Test("after three interrupts the run ends although one host's command cannot be stopped")
    func abandoning() async throws {
        let release = AsyncStream.makeStream(of: Void.self)
        let setting = ScriptedRun(hosts: 5) { $0.parallel = 2 }.setting { attempt in
            await attempt.loggedIn()
            if attempt.host == "h0" { try await attempt.arm() }
            // The command ignores cancellation.
            await Task.detached { for await _ in release.stream {} }.value
            return .exited(0)
        }
        let events = try await Fleet.withRun(setting) { run in
            while await run.coordinator.running.count < 2 { await Task.yield() }
            var events: [FleetEvent] = []
            for _ in 0..<3 { await run.coordinator.interrupt(by: "INT") }
            for try await event in run.events { events.append(event) }
            release.continuation.finish()
            return events
        }
        #expect(events.ends.count == 5)
        #expect(events.summary?.exitStatus == 130)
        #expect(events.summary?.outcomes[.skipped] == 3)
        #expect(events.summary?.outcomes[.ok] == 0)
    }

    @Test("a host where an earlier attempt may have run the command is unknown, however a later one is left")
    func abandoningAgain() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let release = AsyncStream.makeStream(of: Void.self)
        let setting = ScriptedRun(hosts: 1) {
            $0.retry = RetryPolicy(
                maxAttempts: 2, initialDelay: .milliseconds(1), maxDelay: .milliseconds(1), isIdempotent: true)
        }.setting { attempt in
            if attempt.number == 1 {
                await attempt.loggedIn()
                try await attempt.arm()
                throw ScriptedWork.lost
            }
            begin.yield()
            await Task.detached { for await _ in release.stream {} }.value
            return .exited(0)
        }
        let events = try await Fleet.withRun(setting) { run in
            let events = Task {
                defer { begin.finish() }
                return try await run.events.reduce(into: [FleetEvent]()) { $0.append($1) }
            }
            for await _ in begun { break }
            for _ in 0..<3 { await run.coordinator.interrupt(by: "INT") }
            defer { release.continuation.finish() }
            return try await events.value
        }
        #expect(events.ends.map(\.outcome) == [.unknown])
    }
}
