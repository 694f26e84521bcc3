import BridgeSSH
import NIOCore
import NIOPosix
import Testing

@testable import SSHTransport

@Suite struct SharedTimerTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// Each deadline passes at its time, whichever was added first. Removed deadlines never pass.
    @Test("deadlines pass in order") func passesInOrder() async throws {
        let passed = try await run { timer, note in
            _ = timer.add(after: .milliseconds(30)) { note(30) }
            _ = timer.add(after: .milliseconds(10)) { note(10) }
            let withdrawn = timer.add(after: .milliseconds(5)) { note(5) }
            _ = timer.add(after: .milliseconds(20)) { note(20) }
            timer.remove(withdrawn)
        }
        #expect(passed == [10, 20, 30])
    }

    /// A deadline that is added while another passes is not forgotten.
    @Test("later deadlines pass after the first") func goesOnWhenOneHasPassed() async throws {
        let passed = try await run { timer, note in
            _ = timer.add(after: .milliseconds(1)) {
                note(1)
                _ = timer.add(after: .milliseconds(1)) { note(2) }
            }
        }
        #expect(passed == [1, 2])
    }

    @Test("a stopped timer never fires") func isSilentOnceItIsStopped() async throws {
        let passed = try await run { timer, note in
            _ = timer.add(after: .milliseconds(1)) { note(1) }
            timer.stop()
            _ = timer.add(after: .milliseconds(2)) { note(2) }
        }
        #expect(passed == [2])
    }

    /// The deadlines that have passed when a later one passes.
    private func run(_ body: @escaping @Sendable (SharedTimer, @escaping (Int) -> Void) -> Void) async throws -> [Int] {
        let end = loop.makePromise(of: [Int].self)
        loop.execute {
            let timer = SharedTimer(on: loop)
            let passed = NIOLoopBoundBox([Int](), eventLoop: loop)
            body(timer) { passed.value.append($0) }
            _ = timer.add(after: .milliseconds(60)) { end.succeed(passed.value) }
        }
        return try await end.futureResult.get()
    }
}
