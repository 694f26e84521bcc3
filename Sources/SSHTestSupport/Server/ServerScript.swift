/// What an SSH server of its own does at each moment of a connection, beyond key exchange.
///
/// A fresh script is a well-behaved server that accepts every user by method `none` and ends every command at once with status 0.
public struct ServerScript: Sendable {
    /// Something that the client has done.
    public enum Moment: Sendable, Hashable {
        /// It connected.
        case connection
        /// It sent SSH_MSG_KEX_ECDH_INIT.
        case keyExchangeRequest
        /// The reaction to that is over: what is done now comes encrypted, right behind our NEWKEYS.
        case keyExchange
        /// It uses its new keys: the key exchange is over.
        case newKeys
        /// It asked for the authentication service (RFC 4253 section 10).
        case service
        /// It tried to log in by this method, other than by a key (RFC 4252).
        case login(String)
        /// It asked whether a key would do under this algorithm's name (RFC 4252 section 7).
        case keyOffer(String)
        /// It signed with a key under this algorithm's name.
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
        /// It closed a channel.
        case channelClosed
        /// It made a global request that wants an answer (RFC 4254 section 4).
        case globalRequest
    }

    /// The first line, without its line end.
    public var identification = "SSH-2.0-ScriptedServer_1"
    /// Its methods of key exchange, of which it has one; and those that it names from the second exchange on.
    public var methods = ["curve25519-sha256"]
    /// As above; nil for the same.
    public var laterMethods: [String]?
    /// How packets are protected.
    public var mode = PacketMode.ctr
    /// At most so many bytes go out at a time, up to 4096 of a reaction; they may come together all the same.
    public var pieceLength = Int.max
    /// Whether the signature under the key exchange is another one than the host key's.
    public var spoilsHostKeySignature = false
    /// The algorithm of an RSA host key whose signature is shorter than the modulus, its leading zeros left out: `ssh-rsa`, `rsa-sha2-256`
    /// or `rsa-sha2-512`; nil for a host key of ssh-ed25519.
    public var shortRSASignature: String?
    /// How much greater than the client's number of a channel the server's own is: 0 where both count alike.
    public var channelNumbersAhead: UInt32 = 0
    private var reactions: [Moment: [[ServerAction]]] = [:]

    /// The polite server.
    public init() {}

    /// The same script with this reaction to the next occurrence of a moment that has none yet; the last reaction of a moment
    /// is that to all later occurrences too. Without any action the server stays silent.
    ///
    /// What a reaction sends goes out in one piece, up to a flood or a key exchange.
    public func on(_ moment: Moment, _ actions: ServerAction...) -> ServerScript { on(moment, actions) }

    /// As above, with the actions in a list.
    public func on(_ moment: Moment, _ actions: [ServerAction]) -> ServerScript {
        var script = self
        script.reactions[moment, default: []].append(actions)
        return script
    }

    /// The same script for a server that accepts no user without one of these methods.
    public func asking(for methods: String...) -> ServerScript {
        on(.login("none"), .refuseLogin(methods, partialSuccess: false))
    }

    /// The same script with these actions as the reaction to every occurrence of a moment.
    public func replacing(_ moment: Moment, by actions: [ServerAction]) -> ServerScript {
        var script = self
        script.reactions[moment] = [actions]
        return script
    }

    /// The same script with these actions put into a reaction.
    ///
    /// - Parameters:
    ///   - occurrence: which one, from 0.
    ///   - position: how many of the reaction's own actions come before.
    public func inserting(
        _ actions: [ServerAction], into moment: Moment, occurrence: Int = 0, at position: Int
    ) -> ServerScript {
        var script = self
        let count = max(reactions[moment]?.count ?? 0, occurrence + 2)
        var list = (0..<count).map { reaction(to: moment, occurrence: $0) }
        list[occurrence].insert(contentsOf: actions, at: position)
        script.reactions[moment] = list
        return script
    }

    /// What is done at the occurrence with this number, from 0.
    func reaction(to moment: Moment, occurrence: Int) -> [ServerAction] {
        guard let written = reactions[moment], let last = written.last else { return Self.polite(moment) }
        return occurrence < written.count ? written[occurrence] : last
    }

    private static func polite(_ moment: Moment) -> [ServerAction] {
        switch moment {
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
