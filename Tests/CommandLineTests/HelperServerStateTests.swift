import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// The life of a helper, tested without a process.
@Suite("The state of a helper") struct PersistServerStateTests {
    @Test("a helper waits for its time after the last command, and then ends") func idle() {
        var state = HelperServerState(keepFor: 10, at: 0)
        #expect(state.begin(keepFor: 10) == nil)
        #expect(state.opened(at: 2) == [.admit, .watchServer(true), .wake(at: 12)])
        #expect(state.begin(keepFor: 20) == [.watchServer(false)])
        #expect(state.begin(keepFor: 30) == [])
        #expect(state.timerFired(at: 12) == [])
        #expect(state.ended(at: 13) == [])
        #expect(state.ended(at: 14) == [.watchServer(true), .wake(at: 44)])
        #expect(state.timerFired(at: 43) == [.wake(at: 44)])
        #expect(state.timerFired(at: 44) == [.withdraw, .exit])
        #expect(state.leave() == [])
    }

    @Test("a silent server is probed also during a terminal session") func session() {
        var state = HelperServerState(keepFor: 10, at: 0)
        _ = state.opened(at: 0)
        #expect(state.begin(keepFor: 10, watchesServer: true) == [])
        #expect(state.begin(keepFor: 10) == [] && state.isWatched)
        #expect(state.ended(at: 1, watchesServer: true) == [.watchServer(false)])
        #expect(state.begin(keepFor: 10, watchesServer: true) == [.watchServer(true)])
        #expect(state.ended(at: 2) == [])
        #expect(state.ended(at: 3, watchesServer: true) == [.watchServer(true), .wake(at: 13)])
    }

    @Test("when asked to stop, it lets running commands end and accepts no new ones") func leaving() {
        var state = HelperServerState(keepFor: 10, at: 0)
        _ = state.opened(at: 0)
        _ = state.begin(keepFor: 10)
        #expect(state.leave() == [.withdraw])
        #expect(state.begin(keepFor: 10) == nil)
        #expect(state.leave() == [])
        #expect(state.ended(at: 5) == [.exit])
    }

    @Test("a helper runs no more than its number of commands at once") func full() {
        var state = HelperServerState(keepFor: 10, at: 0)
        _ = state.opened(at: 0)
        for _ in 0..<HelperServerState.maximumAtOnce { #expect(state.begin(keepFor: 10) != nil) }
        #expect(state.begin(keepFor: 10) == nil)
        _ = state.ended(at: 1)
        #expect(state.begin(keepFor: 10) != nil)
    }

    @Test("a connection that fails") func failure() {
        var state = HelperServerState(keepFor: 10, at: 0)
        #expect(state.failedToOpen() == [.withdraw])
        #expect(state.opened(at: 1) == [])
        #expect(state.leave() == [.exit])
    }

    @Test(
        "in all cases a helper withdraws once, and exits once, as its last action, and never during a command", arguments: 0..<40)
    func anyOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var state = HelperServerState(keepFor: 5, at: 0)
        var now = 0.0
        var seen: [HelperServerState.Action] = []
        for _ in 0..<200 where !seen.contains(.exit) {
            now += Double.random(in: 0...4, using: &random)
            let before = state.running
            switch Int.random(in: 0..<12, using: &random) {
            case 0...1: seen += state.opened(at: now)
            case 2...5: seen += state.begin(keepFor: 5) ?? []
            case 6...8 where before > 0: seen += state.ended(at: now)
            case 9...10: seen += state.timerFired(at: now)
            case 11 where Int.random(in: 0..<8, using: &random) == 0: seen += state.leave()
            default: break
            }
            if seen.contains(.exit) { #expect(state.running == 0) }
            #expect(state.running <= HelperServerState.maximumAtOnce)
        }
        #expect(seen.count { $0 == .withdraw } <= 1)
        if let exit = seen.firstIndex(of: .exit) {
            #expect(exit == seen.count - 1 && seen.contains(.withdraw))
        }
    }
}
