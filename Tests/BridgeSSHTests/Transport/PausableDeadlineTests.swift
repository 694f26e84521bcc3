import BridgeSSH
import NIOCore
import NIOPosix
import SSHTestSupport
import Synchronization
import Testing

@Suite struct PausableDeadlineTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func passes(_ deadline: PausableDeadline) async {
        await withCheckedContinuation { continuation in
            deadline.start { continuation.resume() }
        }
    }

    @Test("a deadline passes once") func passesOnce() async {
        await passes(PausableDeadline(seconds: 0.01, on: loop))
    }

    /// A new owner of a deadline that has just passed is notified too.
    @Test("late callers are told that the deadline has passed") func tellsWhoComesTooLate() async {
        let deadline = PausableDeadline(seconds: 0.001, on: loop)
        await passes(deadline)
        await passes(deadline)
    }

    /// A pause that outlasts the deadline does not let it pass; a cancelled one never does.
    @Test("pauses do not count") func doesNotCountPauses() {
        let loop = SimulatedLoop()
        for isCancelled in [false, true] {
            let deadline = PausableDeadline(seconds: 5, on: loop)
            let hasPassed = Mutex(false)
            deadline.pause()
            deadline.start { hasPassed.withLock { $0 = true } }
            loop.advance(by: .minutes(1))
            #expect(!hasPassed.withLock { $0 })
            if isCancelled { deadline.cancel() }
            deadline.resume()
            loop.advance(by: .milliseconds(4000))
            #expect(!hasPassed.withLock { $0 })
            loop.advance(by: .milliseconds(2000))
            #expect(hasPassed.withLock { $0 } != isCancelled)
        }
    }
}
