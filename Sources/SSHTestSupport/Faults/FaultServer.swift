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

    /// Starts the server, lends it to `body`, and closes it and its connections, even after an error.
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

/// The steps of a misbehaving server on a connection.
public struct FaultScript: Sendable {
    /// One step.
    ///
    /// After the last one the connection stays open, and received bytes are read and discarded.
    public enum Step: Sendable {
        /// Sends these bytes.
        case send([UInt8])
        /// Sends these bytes repeatedly until the client closes.
        case drip([UInt8], every: Duration)
        /// Waits until the client has sent something since the last step that waited.
        case awaitBytes
        /// Waits for a line feed from the client.
        case awaitLine
        /// Waits until the client has closed its side.
        case awaitEnd
        /// Waits.
        case pause(Duration)
        /// Closes the sending side and continues to read, so that the client sees an end of the stream and never a reset.
        case finish
        /// Closes the connection. If bytes of the client are unread, the client sees a reset.
        case close
        /// Resets the connection (SO_LINGER 0).
        case reset
    }

    /// How a script continues after its bytes.
    public enum Ending: Sendable {
        /// The connection stays open.
        case waits
        /// ``Step/finish``.
        case finishes
        /// ``Step/close``.
        case closes
        /// ``Step/reset``.
        case resets
        /// Reads the client's first bytes, then finishes.
        case readsThenFinishes

        var steps: [Step] {
            switch self {
            case .waits: []
            case .finishes: [.finish]
            case .closes: [.close]
            case .resets: [.reset]
            case .readsThenFinishes: [.awaitBytes, .finish]
            }
        }
    }

    /// The steps.
    public let steps: [Step]

    /// A script of these steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// Accepts and sends nothing.
    public static let silent = FaultScript([])
    /// Closes the sending side at once.
    public static let finishesAtOnce = FaultScript([.finish])
    /// Closes at once.
    public static let closesAtOnce = FaultScript([.close])
    /// Resets at once.
    public static let resetsAtOnce = FaultScript([.reset])

    /// Sends `bytes`, then continues with `ending`.
    public static func says(_ bytes: [UInt8], then ending: Ending) -> FaultScript { FaultScript([.send(bytes)] + ending.steps) }

    /// Sends `text` in UTF-8, then continues with `ending`.
    public static func says(_ text: String, then ending: Ending) -> FaultScript { says(Array(text.utf8), then: ending) }

    /// Endless lines before an identification that never comes.
    public static func tarpit(every interval: Duration = .milliseconds(100)) -> FaultScript {
        FaultScript([.drip(Array("be patient\r\n".utf8), every: interval)])
    }

    /// Identifies itself, waits for the client to do so, and disconnects with this reason code and text (RFC 4253 section
    /// 11.1).
    public static func disconnects(reason: UInt32, text: String) -> FaultScript {
        FaultScript([.send(SSHWire.identification), .awaitLine, .send(SSHWire.disconnect(reason: reason, text: text)), .finish])
    }

    /// Identifies itself, then sends bytes that are not a packet, then continues with `ending`.
    public static func garbageAfterIdentification(then ending: Ending = .finishes) -> FaultScript {
        FaultScript([.send(SSHWire.identification + [UInt8](repeating: 0xFF, count: 512))] + ending.steps)
    }

    /// Identifies itself, waits for the client to do so, and sends no KEXINIT.
    public static func identifies(then ending: Ending) -> FaultScript {
        FaultScript([.send(SSHWire.identification), .awaitLine] + ending.steps)
    }

    /// Identifies itself, sends KEXINIT with these lists, waits for a line of the client, then continues with `ending`.
    public static func keyExchangeInit(_ lists: KeyExchangeLists = .init(), then ending: Ending) -> FaultScript {
        FaultScript([.send(SSHWire.identification + SSHWire.keyExchangeInit(lists)), .awaitLine] + ending.steps)
    }

    /// A server of protocol version 1.5.
    public static let ssh1 = says("SSH-1.5-FaultServer_1\r\n", then: .waits)
}
