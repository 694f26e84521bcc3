/// One action of a scripted server.
public enum ServerAction: Sendable {
    /// Grants the request: for the service, the login, an offered key, the channel, or a channel request.
    case accept
    /// Refuses a channel request or a global request.
    case refuse
    /// Refuses a login, or accepts it as one of several factors, and names the methods that can continue (RFC 4252 section
    /// 5.1).
    case refuseLogin([String], partialSuccess: Bool)
    /// Asks questions. Each has a flag for showing the answer while it is typed (RFC 4256 section 3.2).
    case ask(instruction: String, [(text: String, echo: Bool)])
    /// Demands a new password (RFC 4252 section 8).
    case wantNewPassword(String)
    /// A banner to show before the login (RFC 4252 section 5.4).
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
    /// Any channel request that wants a reply (RFC 4254 section 5.4).
    case channelRequest(String)
    /// SSH_MSG_CHANNEL_EOF.
    case endOfOutput
    /// SSH_MSG_CHANNEL_CLOSE, at most once for each channel.
    case closeChannel
    /// SSH_MSG_EXT_INFO (RFC 8308 section 2.3).
    case extensions([(name: String, value: String)])
    /// SSH_MSG_IGNORE with this many bytes.
    case ignore(Int)
    /// SSH_MSG_DEBUG.
    case debug(String)
    /// SSH_MSG_GLOBAL_REQUEST that wants a reply (RFC 4254 section 4).
    case globalRequest(String)
    /// SSH_MSG_DISCONNECT (RFC 4253 section 11.1).
    case disconnect(reason: UInt32, text: String)
    /// Any payload, by its message number.
    case message(UInt8, [UInt8])
    /// SSH_MSG_IGNORE with a wrong MAC.
    case wrongMAC
    /// A packet whose parts may contradict each other.
    case packet(WirePacket)
    /// Repeats an action until this many bytes have been sent, as fast as the client reads.
    indirect case flood(ServerAction, bytes: Int)
    /// Bytes that are not a packet.
    case garbage(Int)
    /// Raw bytes.
    case bytes([UInt8])
    /// The server's identification line (RFC 4253 section 4.2).
    case identification
    /// SSH_MSG_KEXINIT.
    case keyExchangeInit
    /// SSH_MSG_KEX_ECDH_REPLY.
    case keyExchangeReply
    /// Protects the packets from here on with the keys that the reply agreed on. Does not send SSH_MSG_NEWKEYS.
    case useNewKeys
    /// Begins a key re-exchange. Later actions wait until it is done.
    case renewKeys(KeyRenewal = KeyRenewal())
    /// Ends the server's side of the connection.
    case finish
    /// Resets the connection.
    case reset
}

/// The changes in a key re-exchange that a server begins.
public struct KeyRenewal: Sendable {
    /// The new mode; nil for the script's.
    public var mode: PacketMode?
    /// Whether the server shows another host key from here on.
    public var changesHostKey: Bool

    /// Makes a re-exchange; by default nothing changes.
    public init(mode: PacketMode? = nil, changesHostKey: Bool = false) {
        self.mode = mode
        self.changesHostKey = changesHostKey
    }
}

/// The client's action that a server reacts to.
struct ServerEvent {
    var clientAction: ServerScript.ClientAction
    /// The requested service.
    var service = ""
    /// The algorithm and blob of the offered key.
    var key: [UInt8] = []
    /// The client's number of the channel.
    var channel: UInt32 = 0
    /// The difference between the server's number and the client's.
    var numbersAhead: UInt32 = 0
    var wantsReply = true
}

extension ServerAction {
    /// The payload of the action's message; nil for an action without a well-formed message.
    func payload(_ occasion: ServerEvent) -> [UInt8]? {
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

    private static func acceptance(_ occasion: ServerEvent) -> [UInt8]? {
        let channel = SSHWire.uint32(occasion.channel)
        switch occasion.clientAction {
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

    private static func refusal(_ occasion: ServerEvent) -> [UInt8]? {
        switch occasion.clientAction {
        case .request: occasion.wantsReply ? [100] + SSHWire.uint32(occasion.channel) : nil
        case .globalRequest: [82]
        default: nil
        }
    }
}
