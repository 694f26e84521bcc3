import NIOCore
import NIOPosix

/// A small server on a free loopback port that runs a ``FaultScript`` on every connection.
public struct FaultServer: Sendable {
    /// The address that it listens on.
    public let host: String
    /// The port that it listens on.
    public let port: Int
    /// The data from the clients of all connections.
    public let received: Transcript
    private let connections: ConnectionSet

    /// The number of connections so far.
    public var connectionCount: Int { connections.accepted }

    /// Starts the server, gives it to `body`, and closes it and its connections whatever `body` does.
    @discardableResult
    public static func run<R>(
        _ script: FaultScript, host: String = "127.0.0.1", _ body: (FaultServer) async throws -> R
    ) async throws -> R {
        let connections = ConnectionSet()
        let received = Transcript()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                connections.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ScriptedPeer(script: script, received: received))
                }
            }
            .bind(host: host, port: 0).get()
        let server = FaultServer(
            host: host, port: listener.localAddress?.port ?? 0, received: received, connections: connections)
        return try await withCleanup {
            await listener.close(with: connections)
            received.finish()
        } _: {
            try await body(server)
        }
    }
}

/// Plays a ``FaultScript`` on one connection.
final class ScriptedPeer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var steps: ArraySlice<FaultScript.Step>
    private let received: Transcript
    private var unread: [UInt8] = []
    private var ended = false
    /// Whether a step is in progress: a write or a pause delays the later steps.
    private var busy = false

    init(script: FaultScript, received: Transcript) {
        steps = script.steps[...]
        self.received = received
    }

    func channelActive(context: ChannelHandlerContext) { play(context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        received.append(bytes)
        unread += bytes
        play(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        ended = true
        play(context)
        // Close when nothing is left to send and the other side has ended its input.
        if steps.isEmpty && !busy { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) { steps = [] }

    private func play(_ context: ChannelHandlerContext) {
        while !busy, let step = steps.popFirst() {
            // The step is removed before it is performed, because closing calls this method again.
            if !perform(step, context) {
                steps = [step] + steps
                return
            }
        }
    }

    /// Performs a step. Returns false if the step waits for the client.
    private func perform(_ step: FaultScript.Step, _ context: ChannelHandlerContext) -> Bool {
        switch step {
        case .send(let bytes): hold(until: context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))), context)
        case .drip(let bytes, let interval): drip(bytes, every: TimeAmount(interval), context)
        case .awaitBytes:
            if unread.isEmpty { return false }
            unread = []
        case .awaitLine:
            guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else { return false }
            unread.removeSubrange(...end)
        case .awaitEnd: return ended
        case .pause(let duration): pause(TimeAmount(duration), context)
        case .finish: context.close(mode: .output, promise: nil)
        case .close: context.close(promise: nil)
        case .reset: context.channel.reset()
        }
        return true
    }

    private func hold(until future: EventLoopFuture<Void>, _ context: ChannelHandlerContext) {
        busy = true
        future.assumeIsolated().whenComplete { _ in
            self.busy = false
            self.play(context)
        }
    }

    private func pause(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
        busy = true
        context.eventLoop.assumeIsolated().scheduleTask(in: amount) {
            self.busy = false
            self.play(context)
        }
    }

    private func drip(_ bytes: [UInt8], every interval: TimeAmount, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: interval) { self.drip(bytes, every: interval, context) }
    }
}
