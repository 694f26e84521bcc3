import NIOCore
import NIOPosix
import Synchronization

/// Forwards connections to a server, and injects faults.
///
/// It counts and delays the data, and can stop reading. At a given byte of either side, or when triggered, it cuts, resets,
/// stalls or corrupts the connection.
public struct FaultProxy: Sendable {
    /// What happens to a connection.
    public enum Action: Sendable {
        /// The server's side ends. The client reads an end of the stream, never a reset.
        case finish
        /// Both sides are reset.
        case reset
        /// Nothing is forwarded any more in either direction, and both sides stay open, as with an unplugged cable.
        case stall
        /// Nothing is forwarded any more. Data from the client is still read and counted.
        case mute
        /// The next four bytes of the server, or of the fault's side, arrive altered. Forwarding continues.
        case corrupt
        /// The next byte arrives altered, by exclusive or with this value. Forwarding continues.
        case flip(UInt8)
    }

    /// An action at a place in the stream.
    public struct Fault: Sendable {
        /// What happens.
        public let action: Action
        /// The side whose bytes are counted.
        public let side: Side
        /// The number of the side's bytes that pass before the fault, on each connection.
        public let offset: Int

        /// `action` after exactly this many bytes from the server.
        public init(_ action: Action, afterServerBytes: Int) {
            self.init(action, after: afterServerBytes, from: .server)
        }

        /// `action` after exactly this many bytes from one side. Later bytes are forwarded only if the action lets forwarding
        /// continue.
        public init(_ action: Action, after offset: Int, from side: Side) {
            self.action = action
            self.side = side
            self.offset = offset
        }
    }

    /// The sender of data.
    public enum Side: Sendable, Hashable {
        /// The one that connected to the proxy.
        case client
        /// The one that the proxy connected to.
        case server
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let links: ProxyLinks

    /// The traffic so far, over all connections.
    public var statistics: Statistics { links.statistics }

    /// Starts the proxy, lends it to `body`, and closes it and its connections, even after an error.
    ///
    /// - Parameters:
    ///   - count: The number of connections that have the fault. Later connections are not affected.
    ///   - delay: The delay of each direction. Throughput is not limited.
    ///   - source: The loopback address from which the proxy connects to the server.
    ///   - record: Records the data of both sides, in the order of arrival.
    @discardableResult
    public static func run<R>(
        to port: Int, host: String = "127.0.0.1", fault: Fault? = nil, onFirst count: Int = .max, delay: Duration = .zero,
        from source: String? = nil, record: WireRecord? = nil, _ body: (FaultProxy) async throws -> R
    ) async throws -> R {
        let links = ProxyLinks()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { client in
                let fault = links.connections.add(client) > count ? nil : fault
                return client.eventLoop.makeCompletedFuture {
                    let link = ProxyLink(
                        client: client, target: .init(host: host, port: port, source: source), fault: fault,
                        delay: TimeAmount(delay), links: links, record: record)
                    try client.pipeline.syncOperations.addHandler(ProxyHandler(side: .client, link: link))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let proxy = FaultProxy(port: listener.localAddress?.port ?? 0, links: links)
        return try await withCleanup {
            await listener.close(with: links.connections)
        } _: {
            try await body(proxy)
        }
    }

    /// Applies `action` to every open connection, and returns when that is done.
    public func trigger(_ action: Action) async { await links.each { $0.perform(action) } }

    /// Stops reading from one side of every open connection, so that the sender's buffers fill.
    public func stopReading(from side: Side) async { await links.each { $0.setReading(false, from: side) } }

    /// Reads from that side again.
    public func resumeReading(from side: Side) async { await links.each { $0.setReading(true, from: side) } }

    /// Waits until all connections are closed. Then all their data has been counted.
    public func connectionsClosed() async { await links.connections.allClosed() }
}

extension FaultProxy {
    /// The traffic through a proxy.
    public struct Statistics: Sendable, Equatable {
        /// Connections that clients made.
        public internal(set) var connections = 0
        /// Bytes that came from clients.
        public internal(set) var bytesFromClient = 0
        /// Bytes that came from the server.
        public internal(set) var bytesFromServer = 0
        /// How often the sender changed.
        ///
        /// If `delay` is much longer than either side's reaction time, two turns are one round trip.
        public internal(set) var turns = 0
    }
}

/// The links of a proxy, and their shared statistics.
final class ProxyLinks: Sendable {
    private struct State {
        var links: [ObjectIdentifier: NIOLoopBound<ProxyLink>] = [:]
        var statistics = FaultProxy.Statistics()
    }

    let connections = ConnectionSet()
    private let state = Mutex(State())

    var statistics: FaultProxy.Statistics { state.withLock { $0.statistics } }

    func add(_ link: ProxyLink, on loop: any EventLoop) {
        let bound = NIOLoopBound(link, eventLoop: loop)
        state.withLock { $0.links[ObjectIdentifier(link)] = bound }
        count { $0.connections += 1 }
    }

    func remove(_ link: ProxyLink) {
        let id = ObjectIdentifier(link)
        state.withLock { $0.links[id] = nil }
    }

    func count(_ change: (inout FaultProxy.Statistics) -> Void) { state.withLock { change(&$0.statistics) } }

    /// Runs `work` on every link, each on its own event loop.
    func each(_ work: @escaping @Sendable (ProxyLink) -> Void) async {
        for link in state.withLock({ Array($0.links.values) }) {
            // This fails only if the event loop is shut down, and the loops of the process's own group never are.
            try? await link.eventLoop.submit { work(link.value) }.get()
        }
    }
}

/// Records the data of one connection through a proxy, in the order of arrival.
public final class WireRecord: Sendable {
    /// Bytes that arrived together.
    public struct Arrival: Sendable, Hashable {
        /// The sender.
        public let side: FaultProxy.Side
        /// The bytes, before any fault.
        public let bytes: [UInt8]
    }

    private let state = Mutex<[Arrival]>([])

    /// An empty record.
    public init() {}

    /// All data so far.
    public var arrivals: [Arrival] { state.withLock { $0 } }

    /// All bytes from one side so far.
    public func bytes(from side: FaultProxy.Side) -> [UInt8] { arrivals.filter { $0.side == side }.flatMap(\.bytes) }

    func append(_ bytes: some Sequence<UInt8>, from side: FaultProxy.Side) {
        state.withLock { $0.append(Arrival(side: side, bytes: Array(bytes))) }
    }
}
