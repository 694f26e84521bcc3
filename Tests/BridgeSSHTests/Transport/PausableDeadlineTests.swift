import BridgeSSH
import NIOCore
import NIOPosix
import Testing

@Suite struct PausableDeadlineTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    private func passes(_ deadline: PausableDeadline) async {
        await withCheckedContinuation { continuation in
            deadline.start { continuation.resume() }
        }
    }

    @Test func passesOnce() async {
        await passes(PausableDeadline(seconds: 0.01, on: loop))
    }

    /// A new owner of a deadline that has just passed is notified too.
    @Test func tellsWhoComesTooLate() async {
        let deadline = PausableDeadline(seconds: 0.001, on: loop)
        await passes(deadline)
        await passes(deadline)
    }

    /// A pause that outlasts the deadline does not let it pass; a cancelled one never does.
    @Test func doesNotCountPauses() async throws {
        let deadline = PausableDeadline(seconds: 0.05, on: loop)
        deadline.pause()
        let early = loop.makePromise(of: Void.self)
        deadline.start { early.fail(Early()) }
        let later = loop.scheduleTask(in: .milliseconds(200)) { early.succeed() }
        try await early.futureResult.get()
        later.cancel()
        deadline.cancel()
        deadline.resume()
    }

    private struct Early: Error {}
}
