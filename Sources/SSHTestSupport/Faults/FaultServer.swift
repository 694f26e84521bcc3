import NIOCore
import NIOPosix

/// A small server on a free loopback port that runs a ``FaultScript`` on every connection.
public struct FaultServer: Sendable {
    /// The address that it listens on.
    public let host: String
    /// The port that it listens on.
    public let port: Int
    /// All that clients have sent, of all connections.
    public let received: Transcript
    private let connections: ConnectionSet

    /// How many connections there have been.
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
        do {
            let result = try await body(server)
            await server.close(listener)
            return result
        } catch {
            await server.close(listener)
            throw error
        }
    }

    private func close(_ listener: any Channel) async {
        try? await listener.close()
        await connections.closeAll()
        received.finish()
    }
}
