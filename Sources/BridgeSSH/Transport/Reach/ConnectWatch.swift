internal import NIOCore

/// Sees one address being connected to, and tells what came of it and when. Confined to the channel's event loop.
final class ConnectWatch: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer

    private let tell: @Sendable (AddressOutcome) -> Void

    init(_ tell: @escaping @Sendable (AddressOutcome) -> Void) {
        self.tell = tell
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        let start = ContinuousClock.now
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.whenComplete { [tell] result in
            tell(AddressOutcome(address.endpoint, result, since: start))
        }
        context.connect(to: address, promise: promise)
        // There is no more to see, and all that is sent would go through here.
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

extension AddressOutcome {
    /// An end without an errno is the end of our patience: another address was faster, or the time was over.
    init(_ address: String, _ result: Result<Void, any Error>, since start: ContinuousClock.Instant) {
        self.address = address
        seconds = start.duration(to: .now).seconds
        self.result =
            switch result {
            case .success: .open
            case .failure(let error as IOError): .failed(systemError: error.errnoCode)
            case .failure: .unanswered
            }
    }
}

extension SocketAddress {
    /// `192.0.2.1:22`, `[2001:db8::1]:22`.
    var endpoint: String {
        let host = ipAddress ?? "?"
        return `protocol` == .inet6 ? "[\(host)]:\(port ?? 0)" : "\(host):\(port ?? 0)"
    }
}
