import Crypto
import CryptoExtras
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A small SSH server on a free loopback port that plays a ``ServerScript`` on every connection.
///
/// It supports one algorithm of each kind: curve25519-sha256, ssh-ed25519, and the cipher and MAC of the script's mode.
public struct ScriptedServer: Sendable {
    /// The address that it listens on.
    public let host: String
    /// The port that it listens on.
    public let port: Int
    /// A file that lists its host key.
    public let knownHosts: String
    private let record: ServerRecord
    private let connections: ConnectionSet

    /// The number of connections so far.
    public var connectionCount: Int { connections.accepted }

    /// How often clients have done this, over all connections.
    public func count(of clientAction: ServerScript.ClientAction) -> Int { record.count(of: clientAction) }

    /// The payloads, without the number, of the clients' messages with this number, over all connections. Only messages about
    /// channels are recorded, from number 90 on, and only the first thousand.
    public func messages(_ number: UInt8) -> [[UInt8]] { record.messages(number) }

    /// The numbers of the clients' messages that are not allowed between their KEXINIT and NEWKEYS. The server has ended those
    /// connections.
    public var unexpectedMessages: [UInt8] { record.unexpectedMessages }

    /// Starts the server, gives it to `body`, and closes it and its connections whatever `body` does.
    @discardableResult
    public static func run<R: Sendable>(
        _ script: ServerScript, at place: ScriptedServerOptions = ScriptedServerOptions(),
        _ body: (ScriptedServer) async throws -> R
    ) async throws -> R {
        let connections = ConnectionSet()
        let record = ServerRecord()
        let hostKeys = try HostKeys(script)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // Many clients may connect at once.
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
                        ScriptedServerHandler(script: script, hostKeys: hostKeys, record: record))
                }
            }
            .bind(host: place.address, port: place.port).get()
        return try await withCleanup {
            await listener.close(with: connections)
        } _: {
            try await ScratchDirectory.with { scratch in
                let port = listener.localAddress?.port ?? 0
                let key = Data(try hostKeys.known.blob).base64EncodedString()
                let names = place.names ?? "[\(place.address)]:\(port)"
                let known = try scratch.write("\(names) \(hostKeys.type) \(key)\n", to: "known_hosts")
                return try await body(
                    ScriptedServer(host: place.address, port: port, knownHosts: known, record: record, connections: connections))
            }
        }
    }
}

/// The host keys of a server.
struct HostKeys: Sendable {
    /// The key that the known_hosts file lists.
    let known: ServerHostKey
    /// A key that is not listed.
    let other = ServerHostKey.ed25519(Curve25519.Signing.PrivateKey())
    /// The type of the known key, as in known_hosts.
    let type: String

    init(_ script: ServerScript) throws {
        if let algorithm = script.shortRSASignature {
            known = .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048), algorithm: algorithm)
            type = "ssh-rsa"
        } else {
            known = .ed25519(Curve25519.Signing.PrivateKey())
            type = "ssh-ed25519"
        }
    }
}

/// Records the clients' actions, over all connections of a server.
final class ServerRecord: Sendable {
    private let counts = Mutex<[ServerScript.ClientAction: Int]>([:])
    private let payloads = Mutex<[[UInt8]]>([])
    private let unexpectedMessageNumbers = Mutex<[UInt8]>([])

    var unexpectedMessages: [UInt8] { unexpectedMessageNumbers.withLock { $0 } }
    func noteUnexpectedMessage(_ number: UInt8) { unexpectedMessageNumbers.withLock { $0.append(number) } }

    func messages(_ number: UInt8) -> [[UInt8]] {
        payloads.withLock { $0.filter { $0.first == number }.map { Array($0.dropFirst()) } }
    }

    func note(_ payload: [UInt8]) {
        guard payload[0] >= 90 else { return }
        payloads.withLock { if $0.count < 1000 { $0.append(payload) } }
    }

    func note(_ clientAction: ServerScript.ClientAction) { counts.withLock { $0[clientAction, default: 0] += 1 } }
    func count(of clientAction: ServerScript.ClientAction) -> Int { counts.withLock { $0[clientAction] ?? 0 } }
}

/// The address of a ``ScriptedServer``, and its simulated distance.
public struct ScriptedServerOptions: Sendable {
    /// The address that it listens on. Use 0.0.0.0 only in a network namespace that has just the loopback interface.
    public var address = "127.0.0.1"
    /// The port; 0 finds a free one.
    public var port = 0
    /// The delay of each direction.
    public var delay = Duration.zero
    /// The server's names in the known_hosts file, as patterns of sshd(8). By default its address and port.
    public var names: String?

    /// A free port on 127.0.0.1.
    public init() {}
}
