import Dispatch
import NIOCore
import NIOPosix
import Testing

@testable import SSHTransport

@Suite struct LookupThreadsTests {
    @Test("waiting lookups block neither another lookup nor NIO's pool", .timeLimit(.minutes(1)))
    func waiting() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let gate = DispatchSemaphore(value: 0)
        let count = 40
        let waiting = (0..<count).map { number in
            LookupThreads.run(on: loop) {
                gate.wait()
                return number
            }
        }
        #expect(try await LookupThreads.run(on: loop) { "found" }.get() == "found")
        #expect(try await NIOThreadPool.singleton.runIfActive(eventLoop: loop) { "read" }.get() == "read")
        for _ in 0..<count { gate.signal() }
        for (number, future) in waiting.enumerated() { #expect(try await future.get() == number) }
    }
}
