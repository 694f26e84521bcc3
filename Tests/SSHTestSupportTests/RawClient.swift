import Foundation
import NIOCore
import NIOPosix
import SSHTestSupport
import Testing

/// A plain TCP client that reports how the other side ended.
struct RawClient: Sendable {
    enum Ending: Sendable, Equatable { case finished, reset }

    let received: Transcript
    let channel: any Channel
    private let end: EventLoopFuture<Ending>

    static func with<R>(
        _ port: Int, host: String = "127.0.0.1", _ body: (RawClient) async throws -> R
    ) async throws -> R {
        let received = Transcript()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let end = loop.makePromise(of: Ending.self)
        let channel = try await ClientBootstrap(group: loop)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Recorder(received: received, end: end))
                }
            }
            .connect(host: host, port: port).get()
        let client = RawClient(received: received, channel: channel, end: end.futureResult)
        do {
            let result = try await body(client)
            try? await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// How a server ends the connection of a silent client.
    static func ending(at port: Int) async throws -> (Ending, received: String) {
        do {
            return try await with(port) { client in (try await client.ended(), client.received.text) }
        } catch let error as NIOConnectionError {
            // A reset can arrive before the connect has completed.
            let errors = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
            guard errors.contains(ECONNRESET) else { throw error }
            return (.reset, "")
        }
    }

    func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }
    func finish() async throws { try await channel.close(mode: .output) }
    func ended() async throws -> Ending { try await end.get() }
    var isOpen: Bool { channel.isActive }

    func expect(_ ending: Ending, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let seen = try await end.get()
        #expect(seen == ending, sourceLocation: sourceLocation)
    }
}

private final class Recorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: Transcript
    private var end: EventLoopPromise<RawClient.Ending>?

    init(received: Transcript, end: EventLoopPromise<RawClient.Ending>) {
        self.received = received
        self.end = end
    }

    /// Ends the wait of a caller if the connection was never made.
    deinit { end?.succeed(.finished) }

    private func finish(_ ending: RawClient.Ending) {
        end?.succeed(ending)
        end = nil
        received.finish()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(unwrapInboundIn(data).readableBytesView)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { finish(.finished) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish((error as? IOError)?.errnoCode == ECONNRESET ? .reset : .finished)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { finish(.finished) }
}
