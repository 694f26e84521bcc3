import Crypto
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A small SSH server on a free loopback port that does with every connection what a ``ServerScript`` says.
///
/// It knows one algorithm of a kind: curve25519-sha256, ssh-ed25519, and the cipher and MAC of the script's mode.
public struct ScriptedServer: Sendable {
    /// The address that it listens on.
    public let host: String
    /// The port that it listens on.
    public let port: Int
    /// A file that lists its host key.
    public let knownHosts: String
    private let diary: ServerDiary
    private let connections: ConnectionSet

    /// How many connections there have been.
    public var connectionCount: Int { connections.accepted }

    /// How often clients have come to this moment, over all connections.
    public func count(of moment: ServerScript.Moment) -> Int { diary.count(of: moment) }

    /// Starts the server, gives it to `body`, and closes it and its connections whatever `body` does.
    @discardableResult
    public static func run<R: Sendable>(
        _ script: ServerScript, at place: ServerPlace = ServerPlace(), _ body: (ScriptedServer) async throws -> R
    ) async throws -> R {
        let connections = ConnectionSet()
        let diary = ServerDiary()
        let hostKeys = HostKeys()
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // Many clients may come at once.
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                connections.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    if place.delay > .zero {
                        try channel.pipeline.syncOperations.addHandler(DelayHandler(TimeAmount(place.delay)))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        ScriptedServerHandler(script: script, hostKeys: hostKeys, diary: diary))
                }
            }
            .bind(host: place.address, port: place.port).get()
        do {
            let result = try await ScratchDirectory.with { scratch in
                let port = listener.localAddress?.port ?? 0
                let key = Data(ServerKeyExchange.blob(hostKeys.known)).base64EncodedString()
                let names = place.names ?? "[\(place.address)]:\(port)"
                let known = try scratch.write("\(names) ssh-ed25519 \(key)\n", to: "known_hosts")
                return try await body(
                    ScriptedServer(host: place.address, port: port, knownHosts: known, diary: diary, connections: connections))
            }
            await close(listener, connections)
            return result
        } catch {
            await close(listener, connections)
            throw error
        }
    }

    private static func close(_ listener: any Channel, _ connections: ConnectionSet) async {
        try? await listener.close()
        await connections.closeAll()
    }
}

/// The host keys of a server.
struct HostKeys: Sendable {
    /// The one that its known_hosts file lists.
    let known = Curve25519.Signing.PrivateKey()
    /// One that nothing lists.
    let other = Curve25519.Signing.PrivateKey()
}

/// What clients have done, over all connections of a server.
final class ServerDiary: Sendable {
    private let counts = Mutex<[ServerScript.Moment: Int]>([:])

    func note(_ moment: ServerScript.Moment) { counts.withLock { $0[moment, default: 0] += 1 } }
    func count(of moment: ServerScript.Moment) -> Int { counts.withLock { $0[moment] ?? 0 } }
}
