public import Foundation
public import NIOCore

/// An event loop in simulated time, run step by step by the thread that made it: the same order of events every time.
///
/// Unchecked, because `execute` and `scheduleTask`, through which all else goes, insist on that one thread.
public final class SimulatedLoop: EventLoop, @unchecked Sendable {
    private let thread = pthread_self()
    private var tasks: [@Sendable () -> Void] = []
    private var timers: [(number: Int, deadline: NIODeadline, fire: @Sendable () -> Void)] = []
    private var nextTimer = 0
    /// What time it is.
    public private(set) var now = NIODeadline.uptimeNanoseconds(1)

    /// Makes the loop of this thread.
    public init() {}

    /// Whether this is the thread that made the loop.
    public var inEventLoop: Bool { pthread_equal(thread, pthread_self()) != 0 }
    /// Whether tasks have gone on adding tasks without end. A real loop would come to no socket and no timer any more.
    public private(set) var hasSpun = false
    private static let longestRun = 20_000
    /// How many timers are neither due nor cancelled.
    public var timerCount: Int { timers.count }

    // MARK: Running

    /// Runs what is queued, and what that queues; gives up where there is no end to that.
    public func run() {
        var turns = 0
        while !tasks.isEmpty {
            turns += 1
            guard turns <= Self.longestRun else {
                hasSpun = true
                return
            }
            let tasks = tasks
            self.tasks = []
            for task in tasks { task() }
        }
    }

    /// Lets time pass, with every timer at its own.
    public func advance(by amount: TimeAmount) {
        let end = now + amount
        run()
        while let first = timers.min(by: { ($0.deadline, $0.number) < ($1.deadline, $1.number) }), first.deadline <= end {
            timers.removeAll { $0.number == first.number }
            now = max(now, first.deadline)
            first.fire()
            run()
        }
        now = end
    }

    // MARK: EventLoop

    /// Queues a task for the next `run`.
    public func execute(_ task: @escaping @Sendable () -> Void) {
        preconditionInEventLoop()
        tasks.append(task)
    }

    /// Has `advance` run a task at a time.
    public func scheduleTask<T>(deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        preconditionInEventLoop()
        let promise = makePromise(of: T.self)
        nextTimer += 1
        let number = nextTimer
        timers.append(
            (
                number, deadline,
                {
                    do {
                        promise.assumeIsolated().succeed(try task())
                    } catch {
                        promise.fail(error)
                    }
                }
            ))
        return Scheduled(promise: promise) { self.timers.removeAll { $0.number == number } }
    }

    /// Has `advance` run a task after a time.
    public func scheduleTask<T>(in amount: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + amount, task)
    }

    /// There is nothing to shut down.
    public func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        queue.async { callback(nil) }
    }
}
