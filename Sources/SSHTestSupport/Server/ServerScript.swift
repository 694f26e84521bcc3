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
