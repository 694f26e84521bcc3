import BridgeSSH
import NIOCore
import SSHTestSupport
import Synchronization
import Testing

@Suite struct PausableDeadlineTests {
    private let loop = SimulatedLoop()

    @Test("a deadline passes once, and late callers are told that it has passed") func passesOnce() {
        let deadline = PausableDeadline(seconds: 5, on: loop)
        let passes = Mutex(0)
        deadline.start { passes.withLock { $0 += 1 } }
        loop.advance(by: .milliseconds(4000))
        #expect(passes.withLock { $0 } == 0)
        loop.advance(by: .minutes(1))
        #expect(passes.withLock { $0 } == 1)
        deadline.start { passes.withLock { $0 += 1 } }
        loop.advance(by: .minutes(1))
        #expect(passes.withLock { $0 } == 2)
    }

    /// A pause that outlasts the deadline does not let it pass; a cancelled one never does.
    @Test("pauses do not count") func doesNotCountPauses() {
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
