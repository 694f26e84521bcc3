import SSHTestSupport
import Synchronization
import Testing

@testable import BridgeSSHFleet

/// Readers of a run's events, and runs without a reader.
@Suite("Readers of a fleet run") struct FleetReadersTests {
    private func setting(hosts: Int) -> FleetRunConfiguration {
        ScriptedRun(hosts: hosts).setting { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            try await attempt.write([1, 2, 3], to: .standardOutput)
            return .exited(0)
        }
    }

    @Test("several readers share the events, and all of them end", .timeLimit(.minutes(1)), arguments: [2, 5])
    func several(_ readers: Int) async throws {
        let ends = try await Fleet.withRun(setting(hosts: 50)) { run in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<readers {
                    group.addTask {
                        var ends = 0
                        for try await event in run.events { if case .ended = event { ends += 1 } }
                        return ends
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(ends == 50)
    }

    @Test("a reader that stops before the last event has abandoned the run, although the run has ended") func stopped() async {
        let queue = FleetEventQueue(limit: 1)
        for number in 1...2 { queue.send(.paused(reason: "\(number)")) }
        #expect(!queue.wasAbandoned)
        queue.beginReading()
        _ = await queue.next()
        queue.finish()
        #expect(queue.wasAbandoned)
        _ = await queue.next()
        #expect(!queue.wasAbandoned)
    }

    @Test("a reader that is cancelled takes no event from another", .timeLimit(.minutes(1))) func cancelled() async throws {
        let ends = try await Fleet.withRun(setting(hosts: 50)) { run in
            let other = Task { for try await _ in run.events { try await Task.sleep(for: .seconds(600)) } }
            let one = Task {
                var ends = 0
                for try await event in run.events { if case .ended = event { ends += 1 } }
                return ends
            }
            other.cancel()
            return try await one.value
        }
        #expect(ends >= 49)
    }

    @Test("the wait for a reader ends when it has handled what there is, or when it is cancelled", .timeLimit(.minutes(1)))
    func handled() async {
        let queue = FleetEventQueue(limit: 1)
        await queue.untilHandled()  // There is no reader yet.
        queue.beginReading()
        let (gate, openGate) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let (taken, isTaken) = AsyncStream.makeStream(of: Void.self)
        queue.send(.paused(reason: "test"), taken: { isTaken.finish() })
        let reader = Task { @Sendable in
            while await queue.next() != nil {
                for await _ in gate { break }
                count.withLock { $0 += 1 }
            }
        }
        for await _ in taken { break }
        let cancelled = Task { await queue.untilHandled() }
        cancelled.cancel()
        await cancelled.value
        #expect(count.withLock { $0 } == 0)
        let waiting = Task { @Sendable in
            await queue.untilHandled()
            return count.withLock { $0 }
        }
        for _ in 0..<100 { await Task.yield() }
        openGate.finish()
        #expect(await waiting.value == 1)
        queue.finish()
        await reader.value
    }

    @Test("a run ends although its events are not read", .timeLimit(.minutes(1))) func unread() async throws {
        let run = try await Fleet.withRun(setting(hosts: 50)) { $0 }
        #expect(run.summary.outcomes[.ok] == 50)
    }

    @Test("a run is stopped when its reader leaves early", .timeLimit(.minutes(1))) func left() async throws {
        let run = try await Fleet.withRun(
            ScriptedRun(hosts: 50).setting { attempt in
                await attempt.loggedIn()
                try await Task.sleep(for: .seconds(600))
                return .exited(0)
            }
        ) { run in
            for try await _ in run.events { break }
            return run
        }
        #expect(run.summary.outcomes[.ok] == 0 && run.summary.hosts == 50)
    }
}
