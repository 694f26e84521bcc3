import BridgeSSH
import ErrorCore
import FleetSamples
import SSHRun
import Synchronization
import Testing

@testable import BridgeSSHFleet

@Suite("A fleet run over scripted hosts")
struct FleetRunnerTests {
    /// A host that does everything right.
    static func good(_ attempt: HostAttempt) async throws -> SSHTermination {
        await attempt.loggedIn()
        try await attempt.arm()
        try await attempt.write(Array("\(attempt.host) says hello\n".utf8), to: .standardOutput)
        return .exited(0)
    }

    @Test("every host ends once, between the start and the summary")
    func allGood() async throws {
        let journal = MemoryJournal()
        let events = try await ScriptedRun(hosts: 500, journal: journal).events { try await Self.good($0) }
        guard case .started(let start)? = events.first else { return #expect(Bool(false), "no begin") }
        #expect(start.hosts == 500)
        #expect(Set(events.ends.map(\.host)).count == 500 && events.ends.count == 500)
        #expect(events.summary?.outcomes == [.ok: 500, .failed: 0, .error: 0, .unknown: 0, .skipped: 0])
        #expect(events.summary?.exitStatus == 0)
        #expect(events.ends.allSatisfy { String(decoding: $0.standardOutput.bytes, as: UTF8.self) == "\($0.host) says hello\n" })
        #expect(journal.state.withLock { $0.armed.count } == 500)
        #expect(journal.state.withLock { $0.recorded.values.allSatisfy { $0 == [.ok] } })
        #expect(journal.state.withLock { $0.summaries.count } == 1)
    }

    @Test("the outcome of a host is that of its attempt")
    func outcomes() async throws {
        let events = try await ScriptedRun(hosts: 6).events { attempt in
            switch attempt.host {
            case "h1": throw ScriptedWork.refused
            case "h2":
                await attempt.loggedIn()
                try await attempt.arm()
                throw ScriptedWork.lost
            case "h3":
                await attempt.loggedIn()
                try await attempt.arm()
                return .exited(3)
            case "h4":
                await attempt.loggedIn()
                try await attempt.arm()
                throw MemoryJournal.Full()
            case "h5": throw MemoryJournal.Full()
            default: return try await Self.good(attempt)
            }
        }
        let outcomes = Dictionary(uniqueKeysWithValues: events.ends.map { ($0.host, $0.outcome) })
        #expect(outcomes == ["h0": .ok, "h1": .error, "h2": .unknown, "h3": .failed, "h4": .unknown, "h5": .error])
        #expect(events.ends.first { $0.host == "h1" }?.error?.code == .connectRefused)
        #expect(events.summary?.exitStatus == 1)
    }

    @Test("if all hosts fail alike, the run has their status")
    func commonStatus() async throws {
        let events = try await ScriptedRun(hosts: 5).events { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            return .exited(7)
        }
        #expect(events.summary?.exitStatus == 7)
    }

    @Test("a rule stops the run when its number is reached")
    func stopping() async throws {
        let run = ScriptedRun(hosts: 300) { plan in
            plan.parallel = 10
            plan.stop = [(.failures(4), 4)]
        }
        let events = try await run.events { attempt in
            if attempt.host.hasSuffix("3") { throw ScriptedWork.refused }
            return try await Self.good(attempt)
        }
        var failures = 0
        var stoppedAt: Int?
        for event in events {
            switch event {
            case .ended(let result) where result.outcome == .error: failures += 1
            case .stopped(let rule, _):
                #expect(rule == "any=4")
                stoppedAt = failures
            default: break
            }
        }
        #expect(stoppedAt == 4)
        #expect(events.ends.count == 300)
        #expect(events.summary?.exitStatus == 192)
        #expect(events.summary?.outcomes[.skipped, default: 0] ?? 0 > 200)
    }

    @Test("no command is sent to a host that the journal cannot record, and no further host begins")
    func journalFails() async throws {
        let sent = Mutex(0)
        let journal = MemoryJournal(failsAfter: 5)
        let run = ScriptedRun(hosts: 50, journal: journal) { $0.parallel = 1 }
        let events = try await run.events { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            sent.withLock { $0 += 1 }
            return .exited(0)
        }
        #expect(sent.withLock { $0 } == 5)
        #expect(events.summary?.outcomes == [.ok: 5, .failed: 0, .error: 1, .unknown: 0, .skipped: 44])
        let full = "Cannot write the journal /j here: the local file system is full."
        #expect(events.contains { if case .stopped(nil, full) = $0 { true } else { false } })
    }

    @Test("outputs waiting for a slow journal count towards the run's memory limit")
    func slowJournal() async throws {
        let journal = SlowJournal(others: 19)
        var run = ScriptedRun(hosts: 20, output: OutputPolicy(limit: 1 << 20, streams: false), memory: 8 << 20)
        run.change = { $0.parallel = 20 }
        let mebibyte = [UInt8](repeating: 120, count: 1 << 20)
        var setting = run.setting { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            try await attempt.write(mebibyte, to: .standardOutput)
            return .exited(0)
        }
        setting.journal = journal
        let ends = try await Fleet.withRun(setting) { run in
            journal.waitingCount.withLock { $0 = { await run.coordinator.budget.waitingCount } }
            var ends = 0
            for try await event in run.events { if case .ended = event { ends += 1 } }
            return ends
        }
        #expect(ends == 20)
        // Half of the memory is for kept output; one host may exceed it, and another if that one seems silent.
        let most = journal.most
        #expect(most <= 8 << 20, "\(most)")
    }

    @Test("if a command may have run and the retry cannot reach the host, the outcome stays unknown")
    func unreachedAgain() async throws {
        let journal = MemoryJournal()
        let run = ScriptedRun(hosts: 1, journal: journal) { plan in
            plan.retry.maxAttempts = 3
            plan.retry.isIdempotent = true
            plan.retry.initialDelay = .milliseconds(1)
        }
        let events = try await run.events { attempt in
            guard attempt.number == 1 else { throw ScriptedWork.refused }
            await attempt.loggedIn()
            try await attempt.arm()
            throw SSHError(.sessionConnectionLost, host: "host", commandMayHaveRun: .unknown)
        }
        let end = try #require(events.ends.first)
        #expect(end.outcome == .unknown && end.attempts > 1)
        #expect(end.error?.commandMayHaveRun == .unknown, "\(String(describing: end.error))")
        #expect(journal.state.withLock { $0.recorded } == ["h0": [.unknown]])
        #expect(events.summary?.outcomes[.unknown] == 1 && events.summary?.whole == nil)
    }

    @Test("a cause on this machine pauses the run also at a host whose command may have run")
    func localCauseAfterwards() async throws {
        let run = ScriptedRun(hosts: 1) { plan in
            plan.retry.maxAttempts = 3
            plan.retry.isIdempotent = true
            plan.retry.initialDelay = .milliseconds(1)
        }
        let events = try await run.events { attempt in
            if attempt.number == 2 { throw SSHError(.agentUnavailable, host: "host") }
            if attempt.number == 3 { return try await Self.good(attempt) }
            await attempt.loggedIn()
            try await attempt.arm()
            throw SSHError(.sessionConnectionLost, host: "host", commandMayHaveRun: .unknown)
        }
        #expect(events.contains { if case .paused = $0 { true } else { false } })
        #expect(events.ends.map(\.outcome) == [.ok])
    }

    @Test("a resumed run's status covers all hosts; its other numbers count the hosts that run now")
    func resumed() async throws {
        func summary(_ earlier: [FleetHostResult]) async throws -> FleetSummary? {
            var setting = ScriptedRun(hosts: 3).setting { attempt in
                if attempt.host == "h2" { throw ScriptedWork.refused }
                await attempt.loggedIn()
                try await attempt.arm()
                return .exited(0)
            }
            setting.earlier = earlier
            return try await Fleet.withRun(setting) { run in
                for try await _ in run.events {}
                return run.summary
            }
        }
        let ok = SampleRun.result("a"), failed = SampleRun.result("b", .failed, status: 3)
        let none = try await summary([ok])
        #expect(none?.hosts == 3 && none?.outcomes[.ok] == 2 && none?.outcomes[.error] == 1)
        #expect(none?.whole?.hosts == 4)
        #expect(none?.whole?.outcomes == [.ok: 3, .failed: 0, .error: 1, .unknown: 0, .skipped: 0])
        // A host that ran before and was not reached now keeps its outcome.
        let unknown = FleetHostResult(host: "c", outcome: .unknown)
        let before = try await summary([ok, failed, unknown, SampleRun.result("h2", .failed, status: 3)])
        #expect(before?.hosts == 3 && before?.outcomes[.error] == 1 && before?.exitStatus == 1)
        #expect(before?.whole?.hosts == 6)
        #expect(before?.whole?.outcomes == [.ok: 3, .failed: 2, .error: 0, .unknown: 1, .skipped: 0])
    }

    private static let ends: [(earlier: [FleetHostResult], status: UInt8)] = [
        ([FleetHostResult(host: "a", outcome: .unknown)], 198), ([SampleRun.result("a")], 0),
        ([SampleRun.result("a", .failed, status: 3), SampleRun.result("b", .failed, status: 3)], 3),
        ([SampleRun.result("a"), SampleRun.result("b", .failed, status: 3)], 1),
    ]

    @Test("a resumed run without remaining hosts has the status of its earlier results", arguments: ends)
    func nothingLeft(earlier: [FleetHostResult], status: UInt8) async throws {
        var setting = ScriptedRun(hosts: 0).setting { _ in .exited(0) }
        setting.earlier = earlier
        let summary = try await Fleet.withRun(setting) { run in
            for try await _ in run.events {}
            return run.summary
        }
        #expect(summary.hosts == 0 && summary.whole?.hosts == earlier.count && summary.exitStatus == status)
    }

    @Test("a slow reader slows the hosts down, so that the waiting output is bounded")
    func slowReader() async throws {
        let written = Mutex(0)
        let piece = [UInt8](repeating: 65, count: 32 << 10)
        var run = ScriptedRun(hosts: 8)
        run.memory = 2 << 20
        run.output.limit = 0
        let setting = run.setting { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            for _ in 0..<100 {
                try await attempt.write(piece, to: .standardOutput)
                written.withLock { $0 += piece.count }
            }
            return .exited(0)
        }
        let total = try await Fleet.withRun(setting) { run in
            var read = 0
            for try await event in run.events {
                guard case .output(_, _, let bytes) = event else { continue }
                read += bytes.count
                // The output ahead of the reader: the queue's share of the memory, and a piece of each host.
                let ahead = written.withLock { $0 } - read
                #expect(ahead <= (2 << 20) / 8 + 9 * piece.count)
            }
            return read
        }
        #expect(total == 8 * 100 * piece.count)
    }

    @Test("kept output is bounded; the rest is counted and hashed")
    func keptOutput() async throws {
        var run = ScriptedRun(hosts: 3)
        run.output = OutputPolicy(limit: 10, streams: false)
        let events = try await run.events { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            let end = attempt.host == "h2" ? "other" : "same!"
            for text in ["01234", "56789ab", end] { try await attempt.write(Array(text.utf8), to: .standardOutput) }
            return .exited(0)
        }
        let kept = events.ends.sorted { $0.host < $1.host }.map(\.standardOutput)
        #expect(kept.allSatisfy { $0.bytes == Array("0123456789".utf8) && $0.total == 17 && $0.isTruncated })
        #expect(kept[0] == kept[1])
        #expect(kept[0] != kept[2])
        #expect(!events.contains { if case .output = $0 { true } else { false } })
    }

    @Test("hosts share the memory for output: they wait for it, and all end")
    func keptBudget() async throws {
        var run = ScriptedRun(hosts: 30) { $0.parallel = 30 }
        run.memory = 2 << 20
        run.output = OutputPolicy(limit: 1 << 20, streams: false)
        let events = try await run.events { attempt in
            await attempt.loggedIn()
            try await attempt.arm()
            let piece = [UInt8](repeating: 66, count: 64 << 10)
            for _ in 0..<16 { try await attempt.write(piece, to: .standardOutput) }
            return .exited(0)
        }
        #expect(events.ends.count == 30)
        #expect(events.ends.allSatisfy { $0.outcome == .ok && $0.standardOutput.bytes.count == 1 << 20 })
    }

    @Test("a wrong password is offered to three hosts")
    func quarantine() async throws {
        let offers = Mutex(0)
        let events = try await ScriptedRun(hosts: 60).events { attempt in
            if await attempt.turn(.login) == .offered {
                offers.withLock { $0 += 1 }
                await attempt.answered(.login, accepted: false)
            }
            throw ScriptedWork.refused
        }
        #expect(offers.withLock { $0 } == 3)
        #expect(events.ends.count == 60)
    }

    @Test(
        "an attempt that ends without an answer counts as a refusal: three hosts get the password, once each",
        arguments: PasswordUse.allCases)
    func unanswered(use: PasswordUse) async throws {
        let offers = Mutex<[String]>([])
        var run = ScriptedRun(hosts: 60)
        run.change = {
            $0.retry.maxAttempts = 3; $0.retry.initialDelay = .milliseconds(1)
        }
        let events = try await run.events { attempt in
            if await attempt.turn(use) == .offered { offers.withLock { $0.append(attempt.host) } }
            throw ScriptedWork.refused
        }
        #expect(offers.withLock { $0.count } == 3 && Set(offers.withLock { $0 }).count == 3)
        #expect(events.ends.count == 60)
    }

    @Test("a host that failed before its command was sent is tried again, and its attempts are counted")
    func retrying() async throws {
        let tries = Mutex<[String: Int]>([:])
        var run = ScriptedRun(hosts: 4)
        run.change = { plan in
            plan.retry.maxAttempts = 3
            plan.retry.initialDelay = .milliseconds(1)
        }
        let events = try await run.events { attempt in
            let number = tries.withLock { tries in
                tries[attempt.host, default: 0] += 1
                return tries[attempt.host, default: 0]
            }
            #expect(number == attempt.number)
            if attempt.host == "h1", number < 3 { throw ScriptedWork.refused }
            return try await Self.good(attempt)
        }
        #expect(events.summary?.outcomes[.ok] == 4)
        #expect(events.ends.first { $0.host == "h1" }?.attempts == 3)
    }

    @Test("the step between two batches decides whether the next one begins")
    func batches() async throws {
        var setting = ScriptedRun(hosts: 10) { plan in
            plan.batches = (try? BatchPlan.sizes(parsing: "1,3,100%")) ?? []
            plan.waitsBetween = true
        }.setting { try await Self.good($0) }
        setting.between = { $0 == 2 ? "not healthy" : nil }
        let events = try await Fleet.withRun(setting) { run in
            var events: [FleetEvent] = []
            for try await event in run.events { events.append(event) }
            return events
        }
        #expect(events.summary?.outcomes[.ok] == 4)
        #expect(events.summary?.outcomes[.skipped] == 6)
        #expect(events.ends.filter { $0.outcome == .ok }.map(\.batch) == [1, 2, 2, 2])
        #expect(events.summary?.exitStatus == 192)
    }
}
