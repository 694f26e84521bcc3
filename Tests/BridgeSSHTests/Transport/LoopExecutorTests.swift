import BridgeSSH
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import SSHTransport

@Suite("Tasks on an event loop", .serialized) struct LoopExecutorTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private var executor: LoopExecutor { .of(loop) }

    @Test("tasks continue in the order in which they are woken") func order() async throws {
        let seen = Happened<Int>()
        await withTaskExecutorPreference(executor) {
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<600 {
                    group.addTask {
                        for round in 0..<3 {
                            seen.note(round * 600 + number)
                            await Task.yield()
                        }
                    }
                }
            }
        }
        #expect(seen.all == Array(0..<1800))
    }

    @Test("tasks do not keep the loop from its events, however often they wake each other") func fairness() async throws {
        let timer = Happened<String>()
        loop.scheduleTask(in: .milliseconds(20)) { timer.note("due") }
        await withTaskExecutorPreference(executor) {
            let start = ContinuousClock.now
            while timer.all.isEmpty, start.duration(to: .now) < .seconds(60) { await Task.yield() }
        }
        #expect(timer.all == ["due"])
    }

    @Test("tasks run after the event that wakes them, in one turn with the tasks that they wake") func turns() async throws {
        let seen = Happened<String>()
        try await loop.submit { [executor, loop] in
            Task(executorPreference: executor) {
                seen.note("first")
                await Task.yield()
                seen.note("second")
            }
            loop.execute { seen.note("task of the loop") }
            seen.note("event")
        }.get()
        while seen.all.count < 4 { try await loop.submit {}.get() }
        #expect(seen.all == ["event", "first", "second", "task of the loop"])
    }
}

/// The events, in order.
private final class Happened<Event: Sendable>: Sendable {
    private let events = Mutex<[Event]>([])

    var all: [Event] { events.withLock { $0 } }

    func note(_ event: Event) { events.withLock { $0.append(event) } }
}
