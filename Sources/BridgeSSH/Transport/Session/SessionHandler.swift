internal import NIOCore

/// Carries bytes and their end from a NIO channel to its session. Reading is the session's to ask for.
final class SessionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let session: Session

    init(session: Session) {
        self.session = session
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        session.assumeIsolated { $0.arrived(buffer) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        session.assumeIsolated { $0.arrivalCompleted() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        session.assumeIsolated { $0.pump() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        session.assumeIsolated { $0.streamEnded(.closed) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let end = StreamEnd(error)
        session.assumeIsolated { $0.streamEnded(end) }
        context.close(promise: nil)
    }
}

extension StreamEnd {
    /// The end that an error of the carrier stands for.
    init(_ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case Errno.connectionReset, Errno.brokenPipe: self = .reset
        case let code?: self = .failed(systemError: code)
        case nil: self = .closed
        }
    }
}
