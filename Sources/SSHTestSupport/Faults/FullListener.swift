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
            try await fill(listener, port, keeping: waiting)
            return try await body(FullListener(port: port))
        }
    }

    /// Connects until the queue is full, by the kernel's own count: a connect that takes long does not prove it.
    private static func fill(_ listener: any Channel, _ port: Int, keeping waiting: ConnectionSet) async throws {
        guard let options = listener as? any SocketOptionProvider else { throw QueueNeverFilled() }
        for count in 1...16 {
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port).get()
            waiting.add(channel)
            // For a listener these are the length of its queue, and the largest one (Linux, tcp_get_info in net/ipv4/tcp.c).
            var (length, largest) = (UInt32(0), UInt32(0))
            for _ in 0..<5000 {
                let info = try await options.getTCPInfo().get()
                (length, largest) = (info.tcpi_unacked, info.tcpi_sacked)
                if length >= count { break }
                try await Task.sleep(for: .milliseconds(1))
            }
            if length > largest { return }
        }
        throw QueueNeverFilled()
    }
}
