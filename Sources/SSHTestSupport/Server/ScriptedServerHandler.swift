import Crypto
import NIOCore

/// Plays a ``ServerScript`` on one connection.
final class ScriptedServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let script: ServerScript
    private let hostKeys: HostKeys
    private let record: ServerRecord
    private var exchange = ServerKeyExchange()
    /// The public key of the client's SSH_MSG_KEX_ECDH_INIT.
    private var clientKey: [UInt8] = []
    private var input = PacketInput()
    private var output = PacketOutput()
    /// The keys that the reply has agreed on, until they are used.
    private var nextInput: PacketProtection?
    private var nextOutput: PacketProtection?
    private var queue = ActionQueue()
    private var counts: [ServerScript.ClientAction: Int] = [:]
    private var closedChannels: Set<UInt32> = []
    private var showsOtherHostKey = false
    private var isOver = false
    private var isPerforming = false
    /// Whether the client is between its KEXINIT and its NEWKEYS.
    private var clientExchangesKeys = false
    private static let maximumLengthInPieces = 4096

    init(script: ServerScript, hostKeys: HostKeys, record: ServerRecord) {
        self.script = script
        self.hostKeys = hostKeys
        self.record = record
    }

    func channelActive(context: ChannelHandlerContext) {
        exchange.serverIdentification = Array(script.identification.utf8)
        exchange.mode = script.mode
        react(ServerEvent(clientAction: .connection))
        perform(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        input.append(unwrapInboundIn(data).readableBytesView)
        if exchange.clientIdentification.isEmpty {
            guard let line = input.line() else { return }
            exchange.clientIdentification = line
        }
        do {
            while !isOver, let payload = try input.payload() {
                record.note(payload)
                // As in OpenSSH 10.4: only messages of the exchange and DISCONNECT are allowed (RFC 4253 section 7.1).
                if clientExchangesKeys, payload[0] != 1, !(20...49).contains(payload[0]) {
                    record.noteUnexpectedMessage(payload[0])
                    return end(context)
                }
                try take(payload)
                perform(context)
            }
        } catch {
            end(context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { perform(context) }

    func channelInactive(context: ChannelHandlerContext) { isOver = true }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { end(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context) }

    private func end(_ context: ChannelHandlerContext) {
        isOver = true
        context.close(promise: nil)
    }

    private func take(_ payload: [UInt8]) throws {
        switch payload[0] {
        case 20:
            exchange.clientInit = payload
            clientExchangesKeys = true
            guard exchange.isRenewal, !queue.isRenewingKeys else { return }
            queue.isRenewingKeys = true
            queue.append([.keyExchangeInit], ServerEvent(clientAction: .keyExchangeRequest))
        case 21:
            input.protection = nextInput
            clientExchangesKeys = false
            react(ServerEvent(clientAction: .newKeys))
            queue.isRenewingKeys = false
        case 30:
            var reader = PayloadReader(Array(payload.dropFirst()))
            clientKey = try reader.string()
            react(ServerEvent(clientAction: .keyExchangeRequest))
            react(ServerEvent(clientAction: .keyExchange))
        default:
            if let occasion = try ServerEvent(payload, numbersAhead: script.channelNumbersAhead) { react(occasion) }
        }
    }

    private func react(_ occasion: ServerEvent) {
        let occurrence = counts[occasion.clientAction, default: 0]
        counts[occasion.clientAction] = occurrence + 1
        record.note(occasion.clientAction)
        queue.append(script.reaction(to: occasion.clientAction, occurrence: occurrence), occasion)
    }

    /// Performs the pending steps until one has to wait.
    private func perform(_ context: ChannelHandlerContext) {
        // Writing may make the channel writable again at once, which would call this method recursively.
        guard !isPerforming else { return }
        isPerforming = true
        defer { isPerforming = false }
        var bytes: [UInt8] = []
        do {
            while !isOver, let step = queue.next() {
                switch step.action {
                case .flood(let action, let total):
                    let isWritable = send(&bytes, context)
                    guard isWritable else { return queue.putBack(step) }
                    try pour(ActionQueue.Step(action: action, occasion: step.occasion), total, context)
                    return
                case .finish:
                    send(&bytes, context)
                    isOver = true
                    context.close(mode: .output, promise: nil)
                case .reset:
                    send(&bytes, context)
                    isOver = true
                    context.channel.reset()
                default: bytes += try self.bytes(of: step)
                }
            }
        } catch {
            return end(context)
        }
        send(&bytes, context)
    }

    /// - Returns: whether the channel is writable, that is, the client reads fast enough.
    @discardableResult
    private func send(_ bytes: inout [UInt8], _ context: ChannelHandlerContext) -> Bool {
        var rest = bytes[...]
        // Only short data is sent in pieces. A flood in pieces would block the event loop for all other connections.
        while !rest.isEmpty {
            let isLong = bytes.count - rest.count >= Self.maximumLengthInPieces
            let piece = isLong ? rest : rest.prefix(script.pieceLength)
            rest = rest.dropFirst(piece.count)
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: piece)), promise: nil)
        }
        bytes = []
        return context.channel.isWritable
    }

    /// Sends a part of a flood, and continues after the event loop has done its other work.
    private func pour(_ step: ActionQueue.Step, _ total: Int, _ context: ChannelHandlerContext) throws {
        var piece: [UInt8] = []
        while piece.count < min(total, 1 << 17) { piece += try bytes(of: step) }
        let rest = total - piece.count
        if rest > 0 { queue.putBack(ActionQueue.Step(action: .flood(step.action, bytes: rest), occasion: step.occasion)) }
        send(&piece, context)
        context.eventLoop.assumeIsolated().execute { self.perform(context) }
    }

    private func bytes(of step: ActionQueue.Step) throws -> [UInt8] {
        switch step.action {
        case .garbage(let count): return [UInt8](repeating: 0xa5, count: count)
        case .bytes(let bytes): return bytes
        case .packet(let packet): return try output.packet(packet)
        case .wrongMAC:
            var packet = WirePacket([2] + SSHWire.string("spoilt"))
            packet.spoilsMAC = true
            return try output.packet(packet)
        case .identification: return exchange.serverIdentification + [13, 10]
        case .keyExchangeInit: return try keyExchangeInit()
        case .keyExchangeReply: return try keyExchangeReply()
        case .useNewKeys:
            output.protection = nextOutput
            return []
        case .renewKeys(let renewal):
            queue.isRenewingKeys = true
            exchange.mode = renewal.mode ?? script.mode
            showsOtherHostKey = renewal.changesHostKey
            return try keyExchangeInit()
        // A client answers the server's close with its own, which needs no second answer.
        case .closeChannel where !closedChannels.insert(step.occasion.channel).inserted: return []
        default: return try step.action.payload(step.occasion).map { try output.packet($0) } ?? []
        }
    }

    private func keyExchangeInit() throws -> [UInt8] {
        var lists = KeyExchangeLists()
        lists.keyExchange = exchange.isRenewal ? script.laterMethods ?? script.methods : script.methods
        lists.hostKey = [hostKeys.known.algorithm]
        lists.cipher = [exchange.mode.cipherName]
        lists.mac = [exchange.mode.macName]
        exchange.serverInit = SSHWire.keyExchangeInitPayload(lists)
        return try output.packet(exchange.serverInit)
    }

    private func keyExchangeReply() throws -> [UInt8] {
        let hostKey = showsOtherHostKey ? hostKeys.other : hostKeys.known
        let result = try exchange.answer(
            to: clientKey, hostKey: hostKey, spoilingSignature: script.spoilsHostKeySignature,
            isShort: script.shortRSASignature != nil)
        nextInput = result.fromClient
        nextOutput = result.toClient
        return try output.packet(result.reply)
    }
}

extension ServerEvent {
    /// The event of a client's message; nil for a message that gets no reaction.
    ///
    /// - Parameter ahead: the difference between the server's and the client's number of a channel.
    init?(_ payload: [UInt8], numbersAhead ahead: UInt32) throws {
        var reader = PayloadReader(Array(payload.dropFirst()))
        switch payload[0] {
        case 5: self.init(clientAction: .service, service: try reader.text())
        case 50: try self.init(login: &reader)
        case 61: self.init(clientAction: .answers)
        case 80:
            _ = try reader.string()
            guard try reader.boolean() else { return nil }
            self.init(clientAction: .globalRequest)
        case 90:
            _ = try reader.string()
            self.init(clientAction: .channel, channel: try reader.uint32(), numbersAhead: ahead)
        case 94, 95: self.init(clientAction: .data, channel: try reader.uint32() &- ahead)
        case 96: self.init(clientAction: .endOfInput, channel: try reader.uint32() &- ahead)
        case 97: self.init(clientAction: .channelClosed, channel: try reader.uint32() &- ahead)
        case 98:
            let channel = try reader.uint32() &- ahead
            let name = try reader.text()
            self.init(clientAction: .request(name), channel: channel, wantsReply: try reader.boolean())
        default: return nil
        }
    }

    /// Reads a login request: the user, the service and the method; for a key also whether it signs, its algorithm and its
    /// blob.
    private init(login reader: inout PayloadReader) throws {
        _ = try reader.string()
        _ = try reader.string()
        let method = try reader.text()
        guard method == "publickey" else {
            self.init(clientAction: .login(method))
            return
        }
        let signs = try reader.boolean()
        let algorithm = try reader.text()
        let key = SSHWire.string(algorithm) + SSHWire.string(try reader.string())
        self.init(clientAction: signs ? .signature(algorithm) : .keyOffer(algorithm), key: key)
    }
}

/// The pending actions of a scripted server on one connection.
struct ActionQueue {
    struct Step {
        let action: ServerAction
        let occasion: ServerEvent
    }

    /// Whether a key re-exchange is in progress. Its steps come first, and all other steps wait for its end.
    var isRenewingKeys = false
    private var unfinished: Step?
    private var renewal: [Step] = []
    private var ordinary: [Step] = []

    mutating func append(_ actions: [ServerAction], _ occasion: ServerEvent) {
        let steps = actions.map { Step(action: $0, occasion: occasion) }
        switch occasion.clientAction {
        case .keyExchangeRequest where isRenewingKeys, .keyExchange where isRenewingKeys, .newKeys where isRenewingKeys:
            renewal += steps
        default: ordinary += steps
        }
    }

    /// Puts a step at the front of the queue.
    mutating func putBack(_ step: Step) { unfinished = step }

    mutating func next() -> Step? {
        if let step = unfinished {
            unfinished = nil
            return step
        }
        if !renewal.isEmpty { return renewal.removeFirst() }
        return isRenewingKeys || ordinary.isEmpty ? nil : ordinary.removeFirst()
    }
}
