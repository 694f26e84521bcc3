import Foundation
import SSHTestSupport
import Testing

/// Hostile servers, one attack of each kind: `scripts/test-attacks` tries them all.
@Suite struct AttackTests {
    /// Limits that hold on any busy machine: the run ends on its own, and its memory and time are bounded.
    @Test("no hostile server harms a run") func noHostileServerHarmsARun() async throws {
        var run = AttackRun(try BuiltExecutable.path("bridge-ssh"), limits: AttackRun.Limits(memory: 256 << 20))
        let baseline = try await run.baseline()
        try #require(baseline.problems.isEmpty, "\(baseline.ending)")
        run.limits.memory = baseline.run.peakMemory + (24 << 20)
        run.limits.delay = 10
        // A debug build on a busy machine takes several times as long as a release build, whose limit is 2 seconds.
        run.limits.processorSeconds = 10
        // A correct run may exceed three seconds on a busy machine, but not half a minute.
        run.limits.secondDeadline = 30
        // One attack at a time for each processor, because the client and the server both compute.
        let width = max(2, ProcessInfo.processInfo.activeProcessorCount)
        let results = try await run.results(of: Attack.quick, atATime: width)
        #expect(results.count == Attack.quick.count && results.count > 300)
        for result in results where !result.problems.isEmpty { Issue.record("\(result)") }
    }

    /// Tests the limits with a process that exceeds them.
    @Test("exceeded limits are found") func whatIsTooMuchIsFound() async throws {
        var run = AttackRun(try BuiltExecutable.path("bridge-ssh"), limits: AttackRun.Limits(memory: 1))
        run.limits.processorSeconds = 0
        let baseline = try await run.baseline()
        #expect(baseline.problems.count == 2, "\(baseline)")
        let names = Set(Attack.all.map(\.name))
        #expect(names.count == Attack.all.count, "each attack can be asked for by its name")
    }
}
