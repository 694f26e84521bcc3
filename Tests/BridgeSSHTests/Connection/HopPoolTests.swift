import NIOPosix
import Testing

@testable import BridgeSSH

@Suite("The pool of jump hosts, without any connection") struct HopPoolTests {
    private struct Refused: Error {}

    @Test("a caller who is cancelled while connecting does not fail those who wait", arguments: [true, false])
    func cancelled(isOwnError: Bool) async throws {
        let pool = try SSHHopPool()
        let deadline = PausableDeadline(seconds: 60, on: MultiThreadedEventLoopGroup.singleton.any())
        defer { deadline.cancel() }
        let hops = Hop.hops(to: try SSHEndpoint(host: "jump", user: "alice"), SSHConnectionConfiguration())
        let (dialling, began) = AsyncStream<Void>.makeStream()
        let (cancelling, cancel) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await pool.hop(along: hops[...], Timeline(observer: nil), deadline) {
                began.finish()
                for await _ in cancelling {}
                guard isOwnError else { throw CancellationError() }
                throw SSHFailureClassifier.classify(SSHEvidence(event: .cancelled(signal: nil), stage: .connect))
            }
        }
        for await _ in dialling {}
        let timeline = Timeline(observer: nil)
        let second = Task {
            try await pool.hop(along: hops[...], timeline, deadline) { throw Refused() }
        }
        // The stage begins in the turn of the actor in which the second caller begins to wait.
        while timeline.lastStage == nil { await Task.yield() }
        _ = await pool.connectionCount
        cancel.finish()
        await #expect(throws: (any Error).self) { try await first.value }
        await #expect(throws: Refused.self) { try await second.value }
    }
}
