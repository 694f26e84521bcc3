import BridgeSSHFleet
import ErrorCore
import FleetSamples
import Testing

@testable import FleetOutput

@Suite("Progress line")
struct FleetProgressTests {
    private func progress() -> FleetProgress {
        var progress = FleetProgress()
        progress.take(SampleRun.started(1000), at: .seconds(100))
        for index in 0..<790 { progress.take(SampleRun.ended("a\(index)"), at: .seconds(101 + index % 5)) }
        for index in 0..<12 { progress.take(SampleRun.ended("b\(index)", .failed, status: 1), at: .seconds(105)) }
        for index in 0..<3 { progress.take(SampleRun.ended("c\(index)", .error, code: .authKeyRejected), at: .seconds(106)) }
        for index in 0..<7 { progress.take(SampleRun.ended("d\(index)", .error, code: .connectRefused), at: .seconds(106)) }
        return progress
    }

    private let running = RunningHosts(count: 64, slowest: ("db7", .seconds(34)))

    @Test("the line shows ended hosts by outcome, running hosts, the rate, and the slowest host")
    func line() {
        #expect(
            progress().line(running, at: .seconds(107), width: 200)
                == "done 812/1000 · ok 790 · failed 12 · auth 3 · unreachable 7 · running 64 · 131/s · slowest db7 34 s")
    }

    @Test("hosts that wait for a retry are counted, because otherwise a waiting run would look stuck")
    func waiting() {
        let line = progress().line(RunningHosts(waiting: 3), at: .seconds(200), width: 200)
        #expect(line.hasSuffix("running 0 · retrying 3"))
    }

    @Test("no host runs when all have ended")
    func ended() {
        var progress = FleetProgress()
        progress.take(SampleRun.started(1), at: .zero)
        progress.take(SampleRun.ended("a"), at: .seconds(20))
        let line = progress.line(RunningHosts(count: 1, slowest: ("a", .seconds(20))), at: .seconds(20), width: 200)
        #expect(line == "done 1/1 · ok 1 · running 0")
    }

    @Test("the line fits every width, and leaves out the least important parts", arguments: 1...130)
    func width(columns: Int) {
        let line = progress().line(running, at: .seconds(107), width: columns)
        #expect(TerminalText.columns(line) <= columns)
        #expect(columns < 14 || line.hasPrefix("done 812/1000"))
    }

    @Test("every host is counted once, so that the parts add up to the total")
    func sum() {
        var progress = FleetProgress()
        let codes: [SSHError.Code] = [
            .authKeyRejected, .connectRefused, .connectTimedOut, .hostKeyChanged, .sessionConnectionLost, .localLibraryFailure,
        ]
        for (index, code) in codes.enumerated() { progress.take(SampleRun.ended("a\(index)", .error, code: code), at: .zero) }
        progress.take(SampleRun.ended("x", .unknown, code: .sessionConnectionLost), at: .zero)
        progress.take(SampleRun.ended("y", .skipped), at: .zero)
        let line = progress.line(RunningHosts(), at: .zero, width: 500)
        #expect(
            line
                == "done 8/0 · auth 1 · unreachable 1 · timed out 1 · host key 1 · session 1 · error 1 · unknown 1 · skipped 1 · running 0"
        )
    }

    @Test("pause, batch and stop are shown; hostile names and reasons are escaped")
    func states() {
        var progress = FleetProgress()
        progress.take(SampleRun.started(4), at: .zero)
        progress.take(.batch(number: 2, of: 3, hosts: 2), at: .zero)
        progress.take(.paused(reason: "no \u{1B}network"), at: .zero)
        let hostile = RunningHosts(count: 1, slowest: ("a\u{1B}[2J\nb", .seconds(2)))
        #expect(
            progress.line(hostile, at: .zero, width: 200)
                == "done 0/4 · paused: no \\x1bnetwork · batch 2/3 · running 1 · slowest a\\x1b[2J b 2.0 s")
        progress.take(.resumed(reason: "back"), at: .zero)
        progress.take(.stopped(rule: "any=1", reason: "x"), at: .zero)
        #expect(progress.line(RunningHosts(), at: .zero, width: 200) == "done 0/4 · stopping · batch 2/3 · running 0")
    }
}
