import Synchronization

/// What passed through a proxy, in the order in which it came: for one connection.
public final class WireRecord: Sendable {
    /// Bytes that came at once.
    public struct Arrival: Sendable, Hashable {
        /// Who sent them.
        public let side: FaultProxy.Side
        /// The bytes, before any fault.
        public let bytes: [UInt8]
    }

    private let state = Mutex<[Arrival]>([])

    /// An empty record.
    public init() {}

    /// All that has come so far.
    public var arrivals: [Arrival] { state.withLock { $0 } }

    /// All that one side has sent so far.
    public func bytes(from side: FaultProxy.Side) -> [UInt8] { arrivals.filter { $0.side == side }.flatMap(\.bytes) }

    func append(_ bytes: some Sequence<UInt8>, from side: FaultProxy.Side) {
        state.withLock { $0.append(Arrival(side: side, bytes: Array(bytes))) }
    }
}
