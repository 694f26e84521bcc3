/// One thing that a scripted server does.
public enum ServerAction: Sendable {
    /// Gives what was asked for: the service, the login, a key that would do, the channel, the request.
    case accept
    /// Refuses a channel request or a global request.
    case refuse
    /// Refuses a login, or takes it as one of several factors, and names the methods that can continue (RFC 4252 section 5.1).
    case refuseLogin([String], partialSuccess: Bool)
    /// Asks questions; each says whether its answer may be shown (RFC 4256 section 3.2).
    case ask(instruction: String, [(text: String, echo: Bool)])
    /// Wants a new password (RFC 4252 section 8).
    case wantNewPassword(String)
    /// A text to be shown before the login (RFC 4252 section 5.4).
    case banner(String)
    /// Refuses a channel for this reason (RFC 4254 section 5.1).
    case refuseChannel(reason: UInt32, text: String)
    /// Data on standard output, in one message.
    case output(String)
    /// Data on standard error, in one message.
    case errorOutput(String)
    /// `exit-status` (RFC 4254 section 6.10).
    case exitStatus(UInt32)
    /// `exit-signal`, by a name without SIG.
    case exitSignal(String, message: String)
    /// Any request on the channel, which wants an answer (RFC 4254 section 5.4).
    case channelRequest(String)
    /// SSH_MSG_CHANNEL_EOF.
    case endOfOutput
    /// SSH_MSG_CHANNEL_CLOSE, once a channel.
    case closeChannel
    /// SSH_MSG_EXT_INFO (RFC 8308 section 2.3).
    case extensions([(name: String, value: String)])
    /// SSH_MSG_IGNORE with this many bytes.
    case ignore(Int)
    /// SSH_MSG_DEBUG.
    case debug(String)
    /// SSH_MSG_GLOBAL_REQUEST that wants an answer (RFC 4254 section 4).
    case globalRequest(String)
    /// SSH_MSG_DISCONNECT (RFC 4253 section 11.1).
    case disconnect(reason: UInt32, text: String)
    /// Any payload, by its message number.
    case message(UInt8, [UInt8])
    /// SSH_MSG_IGNORE under a MAC that is wrong.
    case wrongMAC
    /// A packet whose parts may contradict each other.
    case packet(WirePacket)
    /// The same again and again, until that many bytes have gone out; as fast as the client reads.
    indirect case flood(ServerAction, bytes: Int)
    /// Bytes that are no packet.
    case garbage(Int)
    /// These bytes as they are.
    case bytes([UInt8])
    /// Our identification line (RFC 4253 section 4.2).
    case identification
    /// SSH_MSG_KEXINIT.
    case keyExchangeInit
    /// SSH_MSG_KEX_ECDH_REPLY.
    case keyExchangeReply
    /// Protects what is sent from here on by the keys that the reply settled; not SSH_MSG_NEWKEYS itself.
    case useNewKeys
    /// Begins another key exchange. What stands behind it waits until that is done.
    case renewKeys(KeyRenewal = KeyRenewal())
    /// Ends our side of the connection.
    case finish
    /// Resets the connection.
    case reset
}

/// What is different in a key exchange that a server begins anew.
public struct KeyRenewal: Sendable {
    /// Another mode than that of the script.
    public var mode: PacketMode?
    /// Whether it shows another host key, from here on.
    public var changesHostKey: Bool

    /// The same again, but for what is given.
    public init(mode: PacketMode? = nil, changesHostKey: Bool = false) {
        self.mode = mode
        self.changesHostKey = changesHostKey
    }
}

/// What an action is about.
struct ServerOccasion {
    var moment: ServerScript.Moment
    /// The service that was asked for.
    var service = ""
    /// The algorithm and blob of the key that was offered.
    var key: [UInt8] = []
    /// The client's number of the channel.
    var channel: UInt32 = 0
    /// How much greater ours is.
    var numbersAhead: UInt32 = 0
    var wantsReply = true
}

extension ServerAction {
    /// The message that the action sends; nil for those that send none, or no proper one.
    func payload(_ occasion: ServerOccasion) -> [UInt8]? {
        let channel = SSHWire.uint32(occasion.channel)
        switch self {
        case .accept: return Self.acceptance(occasion)
        case .refuse: return Self.refusal(occasion)
        case .refuseLogin(let methods, let partialSuccess):
            return [51] + SSHWire.string(methods.joined(separator: ",")) + SSHWire.boolean(partialSuccess)
        case .ask(let instruction, let prompts):
            let questions: [UInt8] = prompts.flatMap { SSHWire.string($0.text) + SSHWire.boolean($0.echo) }
            let head = SSHWire.string("") + SSHWire.string(instruction) + SSHWire.string("")
            return [60] + head + SSHWire.uint32(UInt32(prompts.count)) + questions
        case .wantNewPassword(let prompt): return [60] + SSHWire.string(prompt) + SSHWire.string("")
        case .banner(let text): return [53] + SSHWire.string(text) + SSHWire.string("")
        case .refuseChannel(let reason, let text):
            return [92] + channel + SSHWire.uint32(reason) + SSHWire.string(text) + SSHWire.string("")
        case .output(let text): return [94] + channel + SSHWire.string(text)
        case .errorOutput(let text): return [95] + channel + SSHWire.uint32(1) + SSHWire.string(text)
        case .exitStatus(let status): return [98] + channel + SSHWire.string("exit-status") + [0] + SSHWire.uint32(status)
        case .exitSignal(let name, let message):
            let what = SSHWire.string(name) + [0] + SSHWire.string(message) + SSHWire.string("")
            return [98] + channel + SSHWire.string("exit-signal") + [0] + what
        case .channelRequest(let name): return [98] + channel + SSHWire.string(name) + [1]
        case .endOfOutput: return [96] + channel
        case .closeChannel: return [97] + channel
        case .extensions(let extensions):
            return [7] + SSHWire.uint32(UInt32(extensions.count))
                + extensions.flatMap { SSHWire.string($0.name) + SSHWire.string($0.value) }
        case .ignore(let count): return [2] + SSHWire.string([UInt8](repeating: 0, count: count))
        case .debug(let text): return [4, 1] + SSHWire.string(text) + SSHWire.string("")
        case .globalRequest(let name): return [80] + SSHWire.string(name) + SSHWire.boolean(true)
        case .disconnect(let reason, let text):
            return [1] + SSHWire.uint32(reason) + SSHWire.string(text) + SSHWire.string("")
        case .message(let number, let content): return [number] + content
        case .wrongMAC, .packet, .flood, .garbage, .bytes, .identification, .keyExchangeInit, .keyExchangeReply, .useNewKeys,
            .renewKeys, .finish, .reset:
            return nil
        }
    }

    private static func acceptance(_ occasion: ServerOccasion) -> [UInt8]? {
        let channel = SSHWire.uint32(occasion.channel)
        switch occasion.moment {
        case .service: return [6] + SSHWire.string(occasion.service)
        case .keyOffer: return [60] + occasion.key
        case .login, .signature, .answers: return [52]
        case .channel:
            let ours = SSHWire.uint32(occasion.channel &+ occasion.numbersAhead)
            return [91] + channel + ours + SSHWire.uint32(1 << 30) + SSHWire.uint32(32768)
        case .request: return occasion.wantsReply ? [99] + channel : nil
        case .globalRequest: return [81]
        case .connection, .keyExchangeRequest, .keyExchange, .newKeys, .data, .endOfInput, .channelClosed: return nil
        }
    }

    private static func refusal(_ occasion: ServerOccasion) -> [UInt8]? {
        switch occasion.moment {
        case .request: occasion.wantsReply ? [100] + SSHWire.uint32(occasion.channel) : nil
        case .globalRequest: [82]
        default: nil
        }
    }
}
