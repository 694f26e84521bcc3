import NIOCore

/// Plays a ``FaultScript`` on one connection.
final class ScriptedPeer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var steps: ArraySlice<FaultScript.Step>
    private let received: Transcript
    private var unread: [UInt8] = []
    private var ended = false
    /// A step that is under way, as a write or a pause, holds the ones behind it.
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
            // Taken before it is performed, because closing comes back here at once.
            if !perform(step, context) {
                steps = [step] + steps
                return
            }
        }
    }

    /// Whether the step is done or under way; false if it waits for the client.
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
