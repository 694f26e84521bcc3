import NIOCore
import NIOPosix
import Synchronization

/// Forwards connections to a server, and injects faults.
///
/// It counts what passes, delays it, stops reading, and at a byte of either side's or when triggered cuts, resets, stalls or
/// corrupts.
public struct FaultProxy: Sendable {
    /// What happens to a connection.
    public enum Action: Sendable {
        /// The server's side ends: the client reads an end, never a reset.
        case finish
        /// Both sides are reset.
        case reset
        /// Nothing is forwarded any more, either way, and both sides stay open, as with an unplugged cable.
        case stall
        /// Nothing from the server is forwarded any more. What the client sends is accepted and counted, but not forwarded.
        case mute
        /// The next four bytes of the server, or of the side that the fault counts, arrive altered; then all goes on.
        case corrupt
        /// The next byte alone arrives altered, by exclusive or with this; then all goes on.
        case flip(UInt8)
    }

    /// An action at a place in the stream.
    public struct Fault: Sendable {
        /// What happens.
        public let action: Action
        /// Whose bytes are counted.
        public let side: Side
        /// How many of its bytes pass before it, on each connection.
        public let offset: Int

        /// `action` after exactly this many bytes from the server.
        public init(_ action: Action, afterServerBytes: Int) {
            self.init(action, after: afterServerBytes, from: .server)
        }

        /// `action` after exactly this many bytes from one side. Those behind them are not forwarded, unless the action lets all
        /// go on.
        public init(_ action: Action, after offset: Int, from side: Side) {
            self.action = action
            self.side = side
            self.offset = offset
        }
    }

    /// Who sends.
    public enum Side: Sendable, Hashable {
        /// The one that connected to the proxy.
        case client
        /// The one that the proxy connected to.
        case server
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let links: ProxyLinks

    /// What has passed so far, over all connections.
    public var statistics: Statistics { links.statistics }

    /// Starts the proxy, gives it to `body`, and closes it and its connections whatever `body` does.
    ///
    /// - Parameters:
    ///   - count: How many connections the fault is for; those after them pass unharmed.
    ///   - delay: How much later each byte arrives, each way. Throughput is not limited.
    ///   - source: The address of the loopback interface from which it connects to the server.
    ///   - record: Keeps what either side sends, in the order in which it comes.
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
        do {
            let result = try await body(proxy)
            await proxy.close(listener)
            return result
        } catch {
            await proxy.close(listener)
            throw error
        }
    }

    /// Applies `action` to every connection that is open now, and returns when it is done.
    public func trigger(_ action: Action) async { await links.each { $0.perform(action) } }

    /// Stops taking bytes from one side of every open connection, so that the sender's buffers fill.
    public func stopReading(from side: Side) async { await links.each { $0.setReading(false, from: side) } }

    /// Takes bytes from that side again.
    public func resumeReading(from side: Side) async { await links.each { $0.setReading(true, from: side) } }

    /// Waits until every connection there has been is closed, and so all that was read of it is counted.
    public func connectionsClosed() async { await links.connections.allClosed() }

    private func close(_ listener: any Channel) async {
        try? await listener.close()
        await links.connections.closeAll()
    }
}

extension FaultProxy {
    /// What passed through a proxy.
    public struct Statistics: Sendable, Equatable {
        /// Connections that clients made.
        public internal(set) var connections = 0
        /// Bytes that came from clients.
        public internal(set) var bytesFromClient = 0
        /// Bytes that came from the server.
        public internal(set) var bytesFromServer = 0
        /// How often the other side began to send.
        ///
        /// With a `delay` long against the time that either side thinks, two of these are one round trip.
        public internal(set) var turns = 0
    }
}

/// The links of a proxy and the numbers that they share.
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
            // An event loop of the process's own group is never shut down, which is all that could fail here.
            try? await link.eventLoop.submit { work(link.value) }.get()
        }
    }
}
