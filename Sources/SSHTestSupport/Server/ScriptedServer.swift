import Crypto
import CryptoExtras
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

    /// The messages with this number that clients have sent, over all connections, without the number: those about channels, from 90
    /// on, the first thousand.
    public func messages(_ number: UInt8) -> [[UInt8]] { diary.messages(number) }

    /// The numbers of the messages that clients have sent between their KEXINIT and their NEWKEYS and that do not belong there. The
    /// server has ended those connections.
    public var strays: [UInt8] { diary.strays }

    /// Starts the server, gives it to `body`, and closes it and its connections whatever `body` does.
    @discardableResult
    public static func run<R: Sendable>(
        _ script: ServerScript, at place: ServerPlace = ServerPlace(), _ body: (ScriptedServer) async throws -> R
    ) async throws -> R {
        let connections = ConnectionSet()
        let diary = ServerDiary()
        let hostKeys = try HostKeys(script)
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
                let key = Data(try hostKeys.known.blob).base64EncodedString()
                let names = place.names ?? "[\(place.address)]:\(port)"
                let known = try scratch.write("\(names) \(hostKeys.type) \(key)\n", to: "known_hosts")
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
    let known: ServerHostKey
    /// One that nothing lists.
    let other = ServerHostKey.ed25519(Curve25519.Signing.PrivateKey())
    /// The type of the known one, as known_hosts has it.
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

/// What clients have done, over all connections of a server.
final class ServerDiary: Sendable {
    private let counts = Mutex<[ServerScript.Moment: Int]>([:])
    private let payloads = Mutex<[[UInt8]]>([])
    private let strayNumbers = Mutex<[UInt8]>([])

    var strays: [UInt8] { strayNumbers.withLock { $0 } }
    func noteStray(_ number: UInt8) { strayNumbers.withLock { $0.append(number) } }

    func messages(_ number: UInt8) -> [[UInt8]] {
        payloads.withLock { $0.filter { $0.first == number }.map { Array($0.dropFirst()) } }
    }

    func note(_ payload: [UInt8]) {
        guard payload[0] >= 90 else { return }
        payloads.withLock { if $0.count < 1000 { $0.append(payload) } }
    }

    func note(_ moment: ServerScript.Moment) { counts.withLock { $0[moment, default: 0] += 1 } }
    func count(of moment: ServerScript.Moment) -> Int { counts.withLock { $0[moment] ?? 0 } }
}
