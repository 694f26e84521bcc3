internal import Synchronization

/// A fleet run under way, as ``Fleet/withRun(_:on:configuration:limits:stop:isolation:_:)`` lends it.
public final class FleetRun: Sendable {
    package let conductor: FleetConductor
    private let queue: FleetEventQueue
    private let latest: Mutex<FleetSummary>

    init(_ setting: FleetSetting) {
        queue = FleetEventQueue(limit: MemoryShares(of: setting.memory).unread)
        conductor = FleetConductor(setting, queue)
        latest = Mutex(
            FleetSummary(
                run: setting.run, hosts: setting.names.count, outcomes: [:], groups: [], duration: .zero, exitStatus: 0))
    }

    /// What happens, in order. Output waits until it is read: a slow reader slows the servers. Several readers share the
    /// events: each event reaches one of them.
    public var events: Events { Events(queue: queue) }

    /// What the run has come to; complete once ``events`` have ended, and before that empty.
    public var summary: FleetSummary { latest.withLock { $0 } }

    /// Changes how many hosts run at once.
    ///
    /// - Parameter count: at least 1.
    public func setParallel(_ count: Int) async { await conductor.setParallel(count) }

    /// Ends the run: no more hosts are begun, and running commands are ended. Every host gets its outcome.
    public func end() async { await conductor.end() }

    /// Carries the run out.
    func conduct() async -> FleetSummary {
        await conductor.conduct { [self] summary in latest.withLock { $0 = summary } }
    }

    /// Nobody reads any more.
    ///
    /// - Returns: whether a reader did, and left before the end.
    @discardableResult
    package func abandonEvents() -> Bool {
        defer { queue.abandon() }
        return queue.wasLeft
    }

    /// The events of a run.
    public struct Events: AsyncSequence, Sendable {
        /// Something that happens.
        public typealias Element = FleetEvent
        let queue: FleetEventQueue

        /// Reads events.
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

        /// An iterator; all of a run's iterators share its events.
        public func makeAsyncIterator() -> AsyncIterator {
            queue.beginReading()
            return AsyncIterator(queue: queue)
        }
    }
}

/// What bodies returned for each host.
final class HostValues<Value: Sendable>: Sendable {
    private let results = Mutex<[String: Result<Value, any Error>]>([:])

    func set(_ result: Result<Value, any Error>, of host: String) { results.withLock { $0[host] = result } }
    func result(of host: String) -> Result<Value, any Error>? { results.withLock { $0[host] } }
}
