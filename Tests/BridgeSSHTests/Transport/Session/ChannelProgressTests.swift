import BridgeSSH
import SSHTestSupport
import Testing

@testable import SSHTransport

@Suite("Progress of a channel") struct ChannelProgressTests {
    private static let events: [@Sendable (inout ChannelProgress) -> Void] = [
        { $0.receivedExit(status: 1) }, { $0.receivedEnd() }, { $0.receivedClose() }, { $0.outputEnded() }, { $0.closed() },
        { $0.salvaged() }, { $0.beginClosing() }, { $0.sessionFailed(.cancelled) },
    ]

    @Test("in every order of events a channel only moves forward, and reaches its end", arguments: 0..<100)
    func everyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var progress = ChannelProgress()
        for event in Self.events.shuffled(using: &random) {
            let before = progress
            event(&progress)
            for state in [\ChannelProgress.isFinished, \.exitIsSettled, \.outputHasEnded, \.isClosed, \.endHasArrived, \.isLost] {
                #expect(progress[keyPath: state] || !before[keyPath: state], "seed \(seed)")
            }
            #expect(!progress.isClosed || progress.endOfOutput)
            #expect(!progress.isFinished || progress.exitIsSettled)
        }
        #expect(progress.isFinished && progress.exitIsSettled && progress.outputHasEnded)
    }

    @Test("an exit without the end of the output does not finish it") func exit() {
        var progress = ChannelProgress()
        progress.receivedExit(status: 0)
        #expect(progress.exitIsSettled && !progress.isFinished)
        progress.outputEnded()
        #expect(progress.isFinished && !progress.isClosed)
    }

    @Test("a second exit message never turns a failure into a success, in any order")
    func contradiction() {
        let failures: [(inout ChannelProgress) -> Void] = [
            { $0.receivedExit(status: 42) },
            { $0.receivedExit(signal: SSHExitSignal(name: "KILL", coreDumped: false, message: "")) },
        ]
        for fail in failures {
            for isFirst in [true, false] {
                var progress = ChannelProgress()
                if !isFirst { progress.receivedExit(status: 0) }
                fail(&progress)
                if isFirst { progress.receivedExit(status: 0) }
                #expect(progress.exitStatus == 42 || progress.exitSignal?.name == "KILL")
                #expect(progress.exitStatus != 0 && (progress.exitStatus == nil || progress.exitSignal == nil))
            }
        }
    }

    @Test("the first failure counts") func secondExit() {
        var progress = ChannelProgress()
        progress.receivedExit(status: 42)
        progress.receivedExit(status: 0)
        progress.receivedExit(signal: SSHExitSignal(name: "TERM", coreDumped: false, message: ""))
        #expect(progress.exitStatus == 42 && progress.exitSignal == nil)
        progress = ChannelProgress()
        progress.receivedExit(signal: SSHExitSignal(name: "KILL", coreDumped: false, message: ""))
        progress.receivedExit(status: 0)
        #expect(progress.exitStatus == nil && progress.exitSignal?.name == "KILL")
    }

    @Test("the first fault counts") func fault() {
        var progress = ChannelProgress()
        progress.sessionFailed(Fault(.streamEnded))
        progress.sessionFailed(.cancelled)
        #expect(progress.fault == Fault(.streamEnded))
    }
}
