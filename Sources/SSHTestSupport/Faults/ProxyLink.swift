import NIOCore
import NIOPosix

/// One connection through a ``FaultProxy``: two channels on one event loop. All code here runs on that loop.
final class ProxyLink {
    /// The server's address, and the local address to connect from.
    struct Target: Sendable {
        let host: String
        let port: Int
        let source: String?
    }

    private enum LinkState { case passing, finished, stalled, muted, gone }

    private let client: any Channel
    private let target: Target
    private var server: (any Channel)?
    private let links: ProxyLinks
    private let delay: TimeAmount
    private let record: WireRecord?
    private var fault: FaultProxy.Fault?
    /// The number of the next bytes of a side to alter, and how.
    private var alteration: (side: FaultProxy.Side, count: Int, mask: UInt8)?
    /// The number of bytes of the fault's side that have passed.
    private var countedBytes = 0
    private var condition = LinkState.passing
    private var lastSender: FaultProxy.Side?
    private var paused: Set<FaultProxy.Side> = []
    private lazy var lines: [FaultProxy.Side: DelayLine] = [.client: DelayLine(delay), .server: DelayLine(delay)]

    init(
        client: any Channel, target: Target, fault: FaultProxy.Fault?, delay: TimeAmount, links: ProxyLinks, record: WireRecord?
    ) {
        self.client = client
        self.target = target
        self.fault = fault
        self.delay = delay
        self.links = links
        self.record = record
    }

    /// Connects to the server when the client's channel is active. Reading starts after that.
    func activated(_ side: FaultProxy.Side) {
        guard side == .client else { return }
        links.add(self, on: client.eventLoop)
        let bound = NIOLoopBound(self, eventLoop: client.eventLoop)
        let (client, links) = (client, links)
        var bootstrap = ClientBootstrap(group: client.eventLoop)
        if let source = target.source, let address = try? SocketAddress(ipAddress: source, port: 0) {
            bootstrap = bootstrap.bind(to: address)
        }
        bootstrap
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { server in
                links.connections.addInner(server)
                return server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(ProxyHandler(side: .server, link: bound.value))
                }
            }
            .connect(host: target.host, port: target.port)
            .whenComplete { result in
                switch result {
                case .success(let server): bound.value.connected(to: server)
                case .failure: client.reset()
                }
            }
    }

    private func connected(to server: any Channel) {
        self.server = server
        guard client.isActive else { return server.close(promise: nil) }
        updateReading()
    }

    // MARK: Events of the handlers

    func received(_ bytes: ByteBuffer, from side: FaultProxy.Side) {
        let turned = lastSender != side
        lastSender = side
        links.count { statistics in
            if turned { statistics.turns += 1 }
            switch side {
            case .client: statistics.bytesFromClient += bytes.readableBytes
            case .server: statistics.bytesFromServer += bytes.readableBytes
            }
        }
        record?.append(bytes.readableBytesView, from: side)
        guard condition == .passing else { return }
        if let fault, fault.side == side { passFaulty(bytes, fault) } else { pass(altered(bytes, from: side), from: side) }
    }

    func ended(_ side: FaultProxy.Side) {
        switch condition {
        case .passing: deliver(from: side) { $0.close(mode: .output, promise: nil) }
        case .finished, .muted: if side == .client { closeBoth() }
        case .stalled, .gone: break
        }
    }

    /// Handles the end or the reset of one side. Closes the other side too, after the data on its way has arrived.
    func closed(_ side: FaultProxy.Side, byReset: Bool) {
        if side == .client {
            links.remove(self)
            if condition == .muted { closeBoth() }
        }
        guard condition == .passing else { return }
        deliver(from: side) { byReset ? $0.reset() : $0.close(promise: nil) }
    }

    private func closeBoth() {
        client.close(promise: nil)
        server?.close(promise: nil)
    }

    func updateReading() {
        for side in [FaultProxy.Side.client, .server] {
            let spaceAhead = channel(other(side))?.isWritable ?? false
            let reads = spaceAhead && !paused.contains(side) && condition != .stalled && condition != .muted
            // Continue to read from a finished client, so that closing it later is not a reset.
            let drains = (condition == .finished || condition == .muted) && side == .client
            channel(side)?.setOption(.autoRead, value: reads || drains).whenFailure { _ in }
        }
    }

    // MARK: Actions of the tests

    func setReading(_ reads: Bool, from side: FaultProxy.Side) {
        if reads { paused.remove(side) } else { paused.insert(side) }
        updateReading()
    }

    func perform(_ action: FaultProxy.Action) {
        guard condition == .passing, let server else { return }
        switch action {
        case .corrupt:
            alteration = (.server, 4, 0x5A)
            return
        case .flip(let mask):
            alteration = (.server, 1, mask)
            return
        case .stall:
            condition = .stalled
        case .mute:
            condition = .muted
        case .finish:
            condition = .finished
            server.close(promise: nil)
            client.close(mode: .output, promise: nil)
        case .reset:
            condition = .gone
            server.reset()
            client.reset()
        }
        updateReading()
    }

    // MARK: Forwarding

    /// Passes the bytes before the fault, performs the fault, and passes the rest if the fault allows it.
    private func passFaulty(_ bytes: ByteBuffer, _ fault: FaultProxy.Fault) {
        var rest = bytes
        guard countedBytes + rest.readableBytes >= fault.offset else {
            countedBytes += rest.readableBytes
            return pass(rest, from: fault.side)
        }
        self.fault = nil
        if let before = rest.readSlice(length: fault.offset - countedBytes), before.readableBytes > 0 {
            pass(before, from: fault.side)
        }
        switch fault.action {
        case .corrupt: alteration = (fault.side, 4, 0x5A)
        case .flip(let mask): alteration = (fault.side, 1, mask)
        case .finish, .reset, .stall, .mute:
            // Perform it after those bytes, however late they arrive.
            deliver(from: fault.side) { _ in self.perform(fault.action) }
            return
        }
        if rest.readableBytes > 0 { pass(altered(rest, from: fault.side), from: fault.side) }
    }

    private func altered(_ bytes: ByteBuffer, from side: FaultProxy.Side) -> ByteBuffer {
        guard let alteration, alteration.side == side else { return bytes }
        self.alteration = nil
        var altered = bytes
        for index in altered.readerIndex..<min(altered.readerIndex + alteration.count, altered.writerIndex) {
            altered.setInteger((altered.getInteger(at: index) ?? UInt8(0)) ^ alteration.mask, at: index)
        }
        return altered
    }

    private func pass(_ bytes: ByteBuffer, from side: FaultProxy.Side) {
        deliver(from: side) { $0.writeAndFlush(bytes, promise: nil) }
    }

    private func deliver(from side: FaultProxy.Side, _ action: @escaping (any Channel) -> Void) {
        guard let target = channel(other(side)) else { return }
        lines[side]?.add(on: target.eventLoop) {
            if self.condition == .passing { action(target) }
        }
    }

    private func channel(_ side: FaultProxy.Side) -> (any Channel)? { side == .client ? client : server }
    private func other(_ side: FaultProxy.Side) -> FaultProxy.Side { side == .client ? .server : .client }
}

/// Reports the events of one channel to its ``ProxyLink``.
final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let side: FaultProxy.Side
    private let link: ProxyLink
    private var failed = false

    init(side: FaultProxy.Side, link: ProxyLink) {
        self.side = side
        self.link = link
    }

    func channelActive(context: ChannelHandlerContext) { link.activated(side) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { link.received(unwrapInboundIn(data), from: side) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { link.ended(side) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { link.updateReading() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failed = true
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { link.closed(side, byReset: failed) }
}

/// Performs actions in order, each after the same delay.
///
/// Use it on one event loop only.
final class DelayLine {
    private let delay: TimeAmount
    private var waiting: [(due: NIODeadline, action: () -> Void)] = []
    private var next = 0

    init(_ delay: TimeAmount) { self.delay = delay }

    func add(on loop: any EventLoop, _ action: @escaping () -> Void) {
        guard delay > .zero else { return action() }
        waiting.append((.now() + delay, action))
        if waiting.count - next == 1 { schedule(on: loop) }
    }

    private func schedule(on loop: any EventLoop) {
        loop.assumeIsolated().scheduleTask(deadline: waiting[next].due) { self.fire(on: loop) }
    }

    private func fire(on loop: any EventLoop) {
        let now = NIODeadline.now()
        while next < waiting.count, waiting[next].due <= now {
            let action = waiting[next].action
            waiting[next].action = {}
            next += 1
            action()
        }
        // Drop performed actions in batches, because removing each from the front is slow.
        if next == waiting.count || next > 1024 {
            waiting.removeFirst(next)
            next = 0
        }
        if next < waiting.count { schedule(on: loop) }
    }
}

/// Delays all data in both directions, in order, to simulate a distant server.
final class DelayHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let inbound: DelayLine
    private let outbound: DelayLine
    private var unflushed: [NIOAny] = []

    /// - Parameter delay: the delay of each direction.
    init(_ delay: TimeAmount) {
        inbound = DelayLine(delay)
        outbound = DelayLine(delay)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbound.add(on: context.eventLoop) { context.fireChannelRead(data) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        unflushed.append(data)
        promise?.succeed()
    }

    func flush(context: ChannelHandlerContext) {
        let pieces = unflushed
        unflushed = []
        outbound.add(on: context.eventLoop) {
            for piece in pieces { context.write(piece, promise: nil) }
            context.flush()
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        outbound.add(on: context.eventLoop) { context.close(mode: mode, promise: promise) }
    }
}
