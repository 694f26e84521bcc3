import NIOCore

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
