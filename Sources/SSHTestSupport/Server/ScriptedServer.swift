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

    /// Starts the server, lends it to `body`, and closes it and its connections, even after an error.
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

/// The reactions of a scripted SSH server to the actions of its client.
///
/// A new script is a well-behaved server that accepts every user by method `none` and ends every command at once with status 0.
public struct ServerScript: Sendable {
    /// An action of the client.
    public enum ClientAction: Sendable, Hashable {
        /// It connected.
        case connection
        /// It sent SSH_MSG_KEX_ECDH_INIT.
        case keyExchangeRequest
        /// The reaction to SSH_MSG_KEX_ECDH_INIT is done. Actions now are encrypted and follow the server's NEWKEYS directly.
        case keyExchange
        /// It uses its new keys: the key exchange is over.
        case newKeys
        /// It asked for the authentication service (RFC 4253 section 10).
        case service
        /// It tried to log in by this method, other than by a key (RFC 4252).
        case login(String)
        /// It asked whether a key would be accepted with this algorithm (RFC 4252 section 7).
        case keyOffer(String)
        /// It signed with a key and this algorithm.
        case signature(String)
        /// It answered questions (RFC 4256 section 3.4).
        case answers
        /// It asked for a channel (RFC 4254 section 5.1).
        case channel
        /// It made this request on a channel (RFC 4254 section 5.4): `exec`, `pty-req`, `env`, `subsystem`.
        case request(String)
        /// It sent data on a channel.
        case data
        /// It ended its data on a channel.
        case endOfInput
        case channelClosed
        /// It made a global request that wants an answer (RFC 4254 section 4).
        case globalRequest
    }

    /// The first line, without its line end.
    public var identification = "SSH-2.0-ScriptedServer_1"
    /// The key exchange methods that it offers. It supports only the default.
    public var methods = ["curve25519-sha256"]
    /// The key exchange methods from the second exchange on; nil for the same.
    public var laterMethods: [String]?
    /// How packets are protected.
    public var mode = PacketMode.ctr
    /// The maximal number of bytes per write, for the first 4096 bytes of a reaction. Several writes may still arrive together.
    public var pieceLength = Int.max
    /// Whether the host key's signature in the key exchange is wrong.
    public var spoilsHostKeySignature = false
    /// The algorithm of an RSA host key whose signature lacks leading zeros and so is shorter than the modulus: `ssh-rsa`,
    /// `rsa-sha2-256` or `rsa-sha2-512`. Nil for a host key of type ssh-ed25519.
    public var shortRSASignature: String?
    /// The difference between the server's and the client's number of a channel.
    public var channelNumbersAhead: UInt32 = 0
    private var reactions: [ClientAction: [[ServerAction]]] = [:]

    /// Makes the script of a well-behaved server.
    public init() {}

    /// Adds a reaction to the next occurrence of an action of the client that has none. The last reaction also applies to all
    /// later occurrences. Without actions the server stays silent.
    ///
    /// The output of a reaction is sent together, up to a flood or a key exchange.
    public func on(_ clientAction: ClientAction, _ actions: ServerAction...) -> ServerScript { on(clientAction, actions) }

    /// As above, with the actions in a list.
    public func on(_ clientAction: ClientAction, _ actions: [ServerAction]) -> ServerScript {
        var script = self
        script.reactions[clientAction, default: []].append(actions)
        return script
    }

    /// The same script for a server that requires one of these methods.
    public func asking(for methods: String...) -> ServerScript {
        on(.login("none"), .refuseLogin(methods, partialSuccess: false))
    }

    /// The same script with these actions as the reaction to every occurrence of an action of the client.
    public func replacing(_ clientAction: ClientAction, by actions: [ServerAction]) -> ServerScript {
        var script = self
        script.reactions[clientAction] = [actions]
        return script
    }

    /// The same script with these actions put into a reaction.
    ///
    /// - Parameters:
    ///   - occurrence: the occurrence of the action, from 0.
    ///   - position: the number of the reaction's own actions before the inserted ones.
    public func inserting(
        _ actions: [ServerAction], into clientAction: ClientAction, occurrence: Int = 0, at position: Int
    ) -> ServerScript {
        var script = self
        let count = max(reactions[clientAction]?.count ?? 0, occurrence + 2)
        var list = (0..<count).map { reaction(to: clientAction, occurrence: $0) }
        list[occurrence].insert(contentsOf: actions, at: position)
        script.reactions[clientAction] = list
        return script
    }

    /// The reaction to an occurrence of an action of the client, counted from 0.
    func reaction(to clientAction: ClientAction, occurrence: Int) -> [ServerAction] {
        guard let written = reactions[clientAction], let last = written.last else { return Self.polite(clientAction) }
        return occurrence < written.count ? written[occurrence] : last
    }

    private static func polite(_ clientAction: ClientAction) -> [ServerAction] {
        switch clientAction {
        case .connection: [.identification, .keyExchangeInit]
        case .keyExchangeRequest: [.keyExchangeReply, .message(21, []), .useNewKeys]
        case .service, .login("none"), .channel, .request("pty-req"), .request("env"): [.accept]
        case .login, .keyOffer, .signature, .answers: [.refuseLogin([], partialSuccess: false)]
        case .request("exec"): [.accept, .exitStatus(0), .endOfOutput, .closeChannel]
        case .request, .globalRequest: [.refuse]
        case .channelClosed: [.closeChannel]
        case .keyExchange, .newKeys, .data, .endOfInput: []
        }
    }
}
