internal import Synchronization

/// A fleet run in progress, as ``Fleet/withRun(_:on:user:configuration:limits:stop:options:isolation:_:)`` lends it.
public final class FleetRun: Sendable {
    package let coordinator: FleetCoordinator
    private let queue: FleetEventQueue
    private let latest: Mutex<FleetSummary>

    init(_ configuration: FleetRunConfiguration) {
        queue = FleetEventQueue(limit: MemoryShares(of: configuration.memory).unread)
        coordinator = FleetCoordinator(configuration, queue)
        latest = Mutex(
            FleetSummary(
                run: configuration.run, hosts: configuration.names.count, outcomes: [:], groups: [], duration: .zero,
                exitStatus: 0))
    }

    /// The events of the run, in order. Output waits until it is read, so a slow reader slows the servers. Several readers share
    /// the events: each event reaches one of them.
    public var events: Events { Events(queue: queue) }

    /// The summary of the run; empty until ``events`` have ended.
    public var summary: FleetSummary { latest.withLock { $0 } }

    /// Changes how many hosts run at once.
    ///
    /// - Parameter count: less than 1 counts as 1.
    public func setParallel(_ count: Int) async { await coordinator.setParallel(count) }

    /// Ends the run: no more hosts are begun, and running commands are ended. Every host gets its outcome.
    public func end() async { await coordinator.end() }

    /// Carries out the run.
    func conduct() async -> FleetSummary {
        await coordinator.conduct { [self] summary in latest.withLock { $0 = summary } }
    }

    /// Marks that the reader has stopped.
    ///
    /// - Returns: whether a reader stopped before the end.
    @discardableResult
    package func abandonEvents() -> Bool {
        defer { queue.abandon() }
        return queue.wasAbandoned
    }

    /// The events of a run, as an asynchronous sequence.
    public struct Events: AsyncSequence, Sendable {
        /// An event of the run.
        public typealias Element = FleetEvent
        let queue: FleetEventQueue

        /// Reads the events of a run.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let queue: FleetEventQueue

            /// The next event; nil at the end.
            ///
            /// - Throws: `CancellationError`.
            public mutating func next() async throws -> FleetEvent? {
                let event = await queue.next()
                if event == nil { try Task.checkCancellation() }
                return event
            }
        }

        /// An iterator. All iterators of a run share its events.
        public func makeAsyncIterator() -> AsyncIterator {
            queue.beginReading()
            return AsyncIterator(queue: queue)
        }
    }
}

/// The values that the bodies returned, by host.
final class HostValues<Value: Sendable>: Sendable {
    private let results = Mutex<[String: Result<Value, any Error>]>([:])

    func set(_ result: Result<Value, any Error>, of host: String) { results.withLock { $0[host] = result } }
    func result(of host: String) -> Result<Value, any Error>? { results.withLock { $0[host] } }
}
