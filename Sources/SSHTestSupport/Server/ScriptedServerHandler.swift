import Crypto
import NIOCore

/// Plays a ``ServerScript`` on one connection.
final class ScriptedServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let script: ServerScript
    private let hostKey: Curve25519.Signing.PrivateKey
    private let diary: ServerDiary
    private var exchange = ServerKeyExchange()
    private var input = PacketInput()
    private var output = PacketOutput()
    /// The client's keys between our NEWKEYS and its own.
    private var nextInput: PacketProtection?
    private var counts: [ServerScript.Moment: Int] = [:]
    private var closedChannels: Set<UInt32> = []
    private var isOver = false

    init(script: ServerScript, hostKey: Curve25519.Signing.PrivateKey, diary: ServerDiary) {
        self.script = script
        self.hostKey = hostKey
        self.diary = diary
    }

    func channelActive(context: ChannelHandlerContext) {
        exchange.serverIdentification = Array(script.identification.utf8)
        var lists = KeyExchangeLists()
        lists.keyExchange = ["curve25519-sha256"]
        lists.hostKey = ["ssh-ed25519"]
        lists.cipher = ["aes128-ctr"]
        exchange.serverInit = SSHWire.keyExchangeInitPayload(lists)
        carryOut(context) { exchange.serverIdentification + [13, 10] + (try output.packet(exchange.serverInit)) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        input.append(unwrapInboundIn(data).readableBytesView)
        if exchange.clientIdentification.isEmpty {
            guard let line = input.line() else { return }
            exchange.clientIdentification = line
        }
        do {
            while !isOver, let payload = try input.payload() { try take(payload, context) }
        } catch {
            context.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func take(_ payload: [UInt8], _ context: ChannelHandlerContext) throws {
        switch payload[0] {
        case 20: exchange.clientInit = payload
        case 21: input.protection = nextInput
        case 30: try exchangeKeys(payload, context)
        default:
            guard let occasion = try ServerOccasion(payload) else { return }
            react(occasion, context)
        }
    }

    private func exchangeKeys(_ payload: [UInt8], _ context: ChannelHandlerContext) throws {
        var reader = PayloadReader(Array(payload.dropFirst()))
        let result = try exchange.answer(
            to: try reader.string(), hostKey: hostKey, spoilingSignature: script.spoilsHostKeySignature)
        let clear = try output.packet(result.reply) + output.packet([21])
        output.protection = result.toClient
        nextInput = result.fromClient
        react(ServerOccasion(moment: .keyExchange), context, after: clear)
    }

    /// Does what the script says, all of its bytes in one piece.
    private func react(_ occasion: ServerOccasion, _ context: ChannelHandlerContext, after start: [UInt8] = []) {
        let actions = script.reaction(to: occasion.moment, occurrence: counts[occasion.moment, default: 0])
        counts[occasion.moment, default: 0] += 1
        diary.note(occasion.moment)
        carryOut(context) { try actions.reduce(start) { try $0 + bytes(of: $1, occasion) } }
        for action in actions {
            switch action {
            case .finish:
                isOver = true
                context.close(mode: .output, promise: nil)
            case .reset:
                isOver = true
                context.channel.reset()
            default: break
            }
        }
    }

    private func bytes(of action: ServerAction, _ occasion: ServerOccasion) throws -> [UInt8] {
        switch action {
        case .garbage(let count): return [UInt8](repeating: 0xa5, count: count)
        case .wrongMAC: return try output.packet([2] + SSHWire.string("spoilt"), spoilingMAC: true)
        // A client answers our close with its own, which asks for no second one.
        case .closeChannel where !closedChannels.insert(occasion.channel).inserted: return []
        default: return try action.payload(occasion).map { try output.packet($0) } ?? []
        }
    }

    private func carryOut(_ context: ChannelHandlerContext, _ make: () throws -> [UInt8]) {
        do {
            let bytes = try make()
            if !bytes.isEmpty { context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil) }
        } catch {
            context.close(promise: nil)
        }
    }
}

extension ServerOccasion {
    /// What a client's message comes to; nil where nobody is waiting for a reaction.
    init?(_ payload: [UInt8]) throws {
        var reader = PayloadReader(Array(payload.dropFirst()))
        switch payload[0] {
        case 5: self.init(moment: .service, service: try reader.text())
        case 50: try self.init(login: &reader)
        case 61: self.init(moment: .answers)
        case 80:
            _ = try reader.string()
            guard try reader.boolean() else { return nil }
            self.init(moment: .globalRequest)
        case 90:
            _ = try reader.string()
            self.init(moment: .channel, channel: try reader.uint32())
        case 94, 95: self.init(moment: .data, channel: try reader.uint32())
        case 96: self.init(moment: .endOfInput, channel: try reader.uint32())
        case 97: self.init(moment: .channelClosed, channel: try reader.uint32())
        case 98:
            let channel = try reader.uint32()
            let name = try reader.text()
            self.init(moment: .request(name), channel: channel, wantsReply: try reader.boolean())
        default: return nil
        }
    }

    /// A login: the user, the service, the method, and with a key whether it signs, its algorithm and its blob.
    private init(login reader: inout PayloadReader) throws {
        _ = try reader.string()
        _ = try reader.string()
        let method = try reader.text()
        guard method == "publickey" else {
            self.init(moment: .login(method))
            return
        }
        let signs = try reader.boolean()
        let algorithm = try reader.text()
        let key = SSHWire.string(algorithm) + SSHWire.string(try reader.string())
        self.init(moment: signs ? .signature(algorithm) : .keyOffer(algorithm), key: key)
    }
}
