public import Foundation
public import NIOCore

/// An event loop in simulated time. The thread that made it runs it step by step, so the order of events is always the same.
///
/// `@unchecked Sendable` is safe because all changes go through `execute` and `scheduleTask`, which require that thread.
public final class SimulatedLoop: EventLoop, @unchecked Sendable {
    private let thread = pthread_self()
    private var tasks: [@Sendable () -> Void] = []
    private var timers: [(number: Int, deadline: NIODeadline, fire: @Sendable () -> Void)] = []
    private var nextTimer = 0
    /// The simulated time.
    public private(set) var now = NIODeadline.uptimeNanoseconds(1)

    /// Makes the loop of this thread.
    public init() {}

    /// Whether this is the thread that made the loop.
    public var inEventLoop: Bool { pthread_equal(thread, pthread_self()) != 0 }
    /// Whether tasks kept adding tasks without end. A real loop would never reach its sockets and timers again.
    public private(set) var hasSpun = false
    private static let maximumTurns = 20_000
    /// The number of timers that are neither due nor cancelled.
    public var timerCount: Int { timers.count }

    // MARK: Running

    /// Runs the queued tasks, and the tasks that they queue. Gives up after a limit and sets ``hasSpun``.
    public func run() {
        var turns = 0
        while !tasks.isEmpty {
            turns += 1
            guard turns <= Self.maximumTurns else {
                hasSpun = true
                return
            }
            let tasks = tasks
            self.tasks = []
            for task in tasks { task() }
        }
    }

    /// Advances the time, and runs every timer at its deadline.
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

    /// Schedules a task for `advance` to run at a deadline.
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

    /// Schedules a task for `advance` to run after a delay.
    public func scheduleTask<T>(in amount: TimeAmount, _ task: @escaping @Sendable () throws -> T) -> Scheduled<T> {
        scheduleTask(deadline: now + amount, task)
    }

    /// Only calls back.
    public func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        queue.async { callback(nil) }
    }
}
