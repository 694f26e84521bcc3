import NIOCore
import NIOPosix

/// A listener whose queue of unaccepted connections is full, so that a connect gets no answer at all.
public struct FullListener: Sendable {
    /// The port on 127.0.0.1.
    public let port: Int

    /// Linux accepted every connection, so the queue never filled.
    public struct QueueNeverFilled: Error {}

    /// Fills a listener's queue, lends it to `body`, and closes everything, even after an error.
    @discardableResult
    public static func run<R>(_ body: (FullListener) async throws -> R) async throws -> R {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 1)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let waiting = ConnectionSet()
        return try await withCleanup {
            await waiting.closeAll()
            try? await listener.close()
        } _: {
            let port = listener.localAddress?.port ?? 0
            try await fill(port, keeping: waiting)
            return try await body(FullListener(port: port))
        }
    }

    /// Connects until the queue is full. A connect on loopback is answered at once, or not before the first retransmission
    /// after 1 s.
    private static func fill(_ port: Int, keeping waiting: ConnectionSet) async throws {
        for _ in 0..<16 {
            do {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connectTimeout(.milliseconds(300)).connect(host: "127.0.0.1", port: port).get()
                waiting.add(channel)
            } catch ChannelError.connectTimeout {
                return
            } catch let error as NIOConnectionError where error.connectionErrors.contains(where: { $0.error is ChannelError }) {
                return
            }
        }
        throw QueueNeverFilled()
    }
}
