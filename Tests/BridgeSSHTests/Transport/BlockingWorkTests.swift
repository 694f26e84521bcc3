import NIOCore
import NIOPosix
import Testing

@testable import BridgeSSH

/// A prompt may block its thread, which must not be the thread of the event loop that many connections share.
@Suite struct BlockingWorkTests {
    private func isOnALoop() -> Bool { MultiThreadedEventLoopGroup.currentEventLoop != nil }

    @Test("a person is asked outside the event loop") func aPersonIsAskedOffTheLoop() async throws {
        let deadline = PausableDeadline(seconds: 60)
        let promptPause = PromptPause(deadline: deadline)
        let (before, meanwhile, after) = await withTaskExecutorPreference(deadline.executor) {
            let before = isOnALoop()
            let meanwhile = await promptPause.ask { isOnALoop() }
            return (before, meanwhile, isOnALoop())
        }
        #expect(before && !meanwhile && after)
    }

    private actor Connection {
        nonisolated let loop = MultiThreadedEventLoopGroup.singleton.next()
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

        func ask(_ question: @Sendable () -> Bool) async -> (before: Bool, meanwhile: Bool) {
            let before = MultiThreadedEventLoopGroup.currentEventLoop != nil
            return (before, await BlockingWork.run { question() })
        }
    }

    /// An actor's work would stay on its loop.
    @Test("a person is asked outside the event loop, even by its actor") func fromAnActorOfTheLoopToo() async throws {
        let (before, meanwhile) = await Connection().ask { isOnALoop() }
        #expect(before && !meanwhile)
    }
}
