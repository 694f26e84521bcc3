import BridgeSSH
import BridgeSSHFleet
import FleetSamples
import Testing

@Suite("Totals of a run")
struct FleetTallyTests {
    private func summary(_ results: [FleetHostResult], _ ending: FleetTally.Ending = .completed) -> FleetSummary {
        var tally = FleetTally()
        for result in results { tally.add(result) }
        return tally.summary(run: "r", duration: .seconds(1), ending: ending, folded: SampleRun.joined)
    }

    @Test("0 if all are ok, the common status if all failed alike, else 1")
    func exitStatus() {
        let ok = SampleRun.result("a")
        let three = SampleRun.result("b", .failed, status: 3)
        let refused = SampleRun.result("c", .error, code: .authKeyRejected)
        #expect(summary([ok, ok]).exitStatus == 0)
        #expect(summary([three, three]).exitStatus == 3)
        #expect(summary([refused, refused]).exitStatus == 197)
        // The same number for another reason does not count as alike.
        #expect(summary([refused, SampleRun.result("d", .error, code: .authPasswordRejected)]).exitStatus == 1)
        let unreachable = SampleRun.result("e", .error, code: .connectRefused)
        #expect(summary([unreachable, SampleRun.result("f", .failed, status: 193)]).exitStatus == 1)
        #expect(summary([ok, three]).exitStatus == 1)
        #expect(summary([three, refused]).exitStatus == 1)
    }

    @Test("192 if a rule or a person stopped it; a signal has its own status")
    func early() {
        let results = [SampleRun.result("a"), SampleRun.result("b", .skipped)]
        #expect(summary(results, .stopped).exitStatus == 192)
        #expect(summary(results, .interrupted(.cancelled)).exitStatus == 130)
        #expect(summary(results, .interrupted(.terminated)).exitStatus == 143)
        #expect(summary(results, .interrupted(.hungUp)).exitStatus == 129)
    }

    @Test("with --exit-codes ssh, failures other than the command's count as 255")
    func convention() {
        var tally = FleetTally(convention: .ssh)
        tally.add(SampleRun.result("a", .error, code: .authKeyRejected))
        #expect(tally.summary(run: "r", duration: .zero, folded: SampleRun.joined).exitStatus == 255)
    }

    @Test("with --exit-status strict, only a command's own failure counts as 1")
    func strict() {
        func status(_ results: FleetHostResult...) -> UInt8 {
            var tally = FleetTally(commands: .strict)
            for result in results { tally.add(result) }
            return tally.summary(run: "r", duration: .zero, folded: SampleRun.joined).exitStatus
        }
        #expect(status(SampleRun.result("a", .failed, status: 193), SampleRun.result("b", .failed, status: 193)) == 1)
        #expect(status(SampleRun.result("a", .error, code: .authKeyRejected)) == 197)
        #expect(status(SampleRun.result("a")) == 0)
    }

    @Test("hosts are grouped by outcome, code and status; the groups add up to all hosts")
    func groups() {
        let sum = summary([
            SampleRun.result("a"), SampleRun.result("b", .failed, status: 3), SampleRun.result("c", .failed, status: 4),
            SampleRun.result("d", .failed, status: 4), SampleRun.result("e", .skipped),
            SampleRun.result("f", .unknown, code: .sessionConnectionLost),
        ])
        #expect(sum.groups.map(\.hosts) == ["a", "c,d", "b", "f", "e"])
        #expect(sum.groups.map(\.exitStatus) == [0, 4, 3, nil, nil])
        #expect(
            sum.groups.map(\.code) == [
                nil, "ssh.command.exit-nonzero", "ssh.command.exit-nonzero", "ssh.session.connection-lost", nil,
            ])
        #expect(sum.groups.map(\.count).reduce(0, +) == sum.hosts)
        #expect(sum.outcomes == [.ok: 1, .failed: 3, .error: 0, .unknown: 1, .skipped: 1])
    }
}
