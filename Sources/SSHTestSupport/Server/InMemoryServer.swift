import Crypto

/// An SSH server without a socket: bytes in, bytes out. Confined to one thread.
///
/// It accepts every user by method `none`. The test decides when commands end and keys are re-exchanged. It has an SFTP server
/// with one file, and connects each direct-tcpip channel to the next server of a chain. It respects the client's windows.
public final class InMemoryServer {
    private let next: InMemoryServer?
    private let hostKey = Curve25519.Signing.PrivateKey()
    private var exchange = ServerKeyExchange()
    private var input = PacketInput()
    private var output = PacketOutput()
    /// The client's new keys, from the server's NEWKEYS until the client's NEWKEYS.
    private var nextInput: PacketProtection?
    private var unsent: [UInt8] = []
    private var command: UInt32?
    private var tunnel: UInt32?
    private var sftp: UInt32?
    private var file = InMemorySFTP()
    private var flows: [UInt32: OutgoingData] = [:]
    private var closed: Set<UInt32> = []
    private var sentMessageCount = 0
    /// The messages that wait for the end of a key exchange.
    private var heldBack: [[UInt8]] = []
    private var clientExchangesKeys = false

    /// The data to the client on a channel.
    private struct OutgoingData {
        var window: Int
        var pending: ArraySlice<UInt8> = []
        /// The messages after the data, before the channel is closed.
        var last: [[UInt8]]?
    }

    /// Whether the server has begun a key re-exchange and not yet sent its SSH_MSG_NEWKEYS.
    public private(set) var isRenewingKeys = false
    /// The number of key re-exchanges.
    public private(set) var renewalCount = 0
    /// The numbers of the client's messages that are not allowed during a key exchange, between the client's KEXINIT and
    /// NEWKEYS (RFC 4253 section 7.1). OpenSSH 10.4 ends the connection for any of them.
    public private(set) var unexpectedMessages: [UInt8] = []
    /// The standard input of the command so far.
    public private(set) var received: [UInt8] = []
    /// The byte of its file at an offset.
    public static func fileByte(at offset: Int) -> UInt8 { InMemorySFTP.byte(at: offset) }
    /// The number of correct bytes that were written to the file over SFTP.
    public var writtenCount: Int { file.writtenCount }

    /// The number of keepalive requests so far.
    public private(set) var keepaliveCount = 0
    /// Whether the server's side of the connection has ended.
    public private(set) var hasEnded = false
    /// Whether the server ignores all input and sends nothing, with the connection open.
    public var isSilent = false
    /// Whether the server answers channel opens and channel requests.
    public var answersRequests = true

    /// Packets to send before one of the server's own messages, by the index of that message. SSH_MSG_KEXINIT has index 0.
    public var extraPackets: [Int: [WirePacket]] = [:]

    /// - Parameters:
    ///   - next: the server to which direct-tcpip channels connect.
    ///   - mode: how packets are protected.
    public init(next: InMemoryServer? = nil, mode: PacketMode = .ctr) {
        self.next = next
        exchange.mode = mode
        exchange.serverIdentification = Array("SSH-2.0-InMemoryServer_1".utf8)
        var lists = KeyExchangeLists()
        lists.keyExchange = ["curve25519-sha256"]
        lists.hostKey = ["ssh-ed25519"]
        lists.cipher = [mode.cipherName]
        lists.mac = [mode.macName]
        exchange.serverInit = SSHWire.keyExchangeInitPayload(lists)
    }

    // MARK: The connection

    /// Sends the server's identification and KEXINIT.
    public func connect() throws {
        unsent += exchange.serverIdentification + [13, 10]
        try say(exchange.serverInit)
    }

    /// Takes bytes from the client.
    public func receive(_ bytes: [UInt8]) throws {
        guard !isSilent, !hasEnded else { return }
        input.append(bytes)
        if exchange.clientIdentification.isEmpty {
            guard let line = input.line() else { return }
            exchange.clientIdentification = line
        }
        while !hasEnded, let payload = try input.payload() { try take(payload) }
    }

    /// The output since the last call, including the data from its tunnel.
    public func takeOutput() throws -> [UInt8] {
        guard !isSilent else { return [] }
        try relay()
        defer { unsent = [] }
        return unsent
    }

    /// Ends the connection.
    public func end() { hasEnded = true }

    // MARK: The command

    /// Writes to the standard output of the command, if one runs.
    public func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes to the standard output of the command, as the client's window allows.
    public func write(_ bytes: [UInt8]) throws {
        guard let command else { return }
        try send(bytes, on: command)
    }

    /// Ends the command, if one runs.
    public func exit(_ status: UInt32) throws {
        guard let command, !closed.contains(command) else { return }
        let channel = SSHWire.uint32(command)
        try end(command, saying: [[98] + channel + SSHWire.string("exit-status") + [0] + SSHWire.uint32(status), [96] + channel])
    }

    // MARK: Keys

    /// Begins a key re-exchange, if keys are in use. Other messages wait for its end.
    public func renewKeys() throws {
        guard input.protection != nil, !isRenewingKeys, !clientExchangesKeys, !isSilent else { return }
        isRenewingKeys = true
        renewalCount += 1
        try say(exchange.serverInit)
    }

    private func renewed() throws {
        isRenewingKeys = false
        let messages = heldBack
        heldBack = []
        for message in messages { try say(message) }
    }

    // MARK: Messages

    private func say(_ payload: [UInt8]) throws {
        guard !hasEnded else { return }
        if isRenewingKeys, !(20...49).contains(payload[0]) { return heldBack.append(payload) }
        for packet in extraPackets[sentMessageCount] ?? [] { unsent += try output.packet(packet) }
        sentMessageCount += 1
        unsent += try output.packet(payload)
    }

    private func take(_ payload: [UInt8]) throws {
        if clientExchangesKeys, payload[0] != 1, !(20...49).contains(payload[0]) { unexpectedMessages.append(payload[0]) }
        var reader = PayloadReader(Array(payload.dropFirst()))
        switch payload[0] {
        case 1: end()
        case 5: try say([6] + SSHWire.string(try reader.string()))
        case 20:
            exchange.clientInit = payload
            clientExchangesKeys = true
        case 21:
            input.protection = nextInput
            clientExchangesKeys = false
        case 30: try exchangeKeys(try reader.string())
        case 50: try say([52])
        case 80:
            keepaliveCount += 1
            try say([82])
        case 90 where answersRequests: try open(&reader)
        case 93:
            let channel = try reader.uint32()
            flows[channel]?.window += Int(try reader.uint32())
            try pour(channel)
        case 94:
            let channel = try reader.uint32()
            let bytes = try reader.string()
            if channel == tunnel { try next?.receive(bytes) }
            if channel == command { received += bytes }
            if channel == sftp { try send(try file.answers(to: bytes), on: channel) }
        case 96:
            // The next server ends when its client has ended its side.
            if try reader.uint32() == tunnel, let next, !next.isSilent { next.end() }
        case 97:
            let channel = try reader.uint32()
            if channel == tunnel { next?.end() }
            flows[channel] = nil
            try close(channel)
        case 98 where answersRequests:
            let channel = try reader.uint32()
            switch try reader.text() {
            case "exec": command = channel
            case "subsystem": sftp = channel
            default: break
            }
            if try reader.boolean() { try say([99] + SSHWire.uint32(channel)) }
        default: break
        }
    }

    private func exchangeKeys(_ clientKey: [UInt8]) throws {
        let result = try exchange.answer(to: clientKey, hostKey: .ed25519(hostKey), spoilingSignature: false)
        try say(result.reply)
        try say([21])
        output.protection = result.toClient
        nextInput = result.fromClient
        if isRenewingKeys { try renewed() }
    }

    private func open(_ reader: inout PayloadReader) throws {
        let type = try reader.text()
        let number = try reader.uint32()
        let channel = SSHWire.uint32(number)
        flows[number] = OutgoingData(window: Int(try reader.uint32()))
        if type == "direct-tcpip" {
            tunnel = number
            try next?.connect()
        }
        try say([91] + channel + channel + SSHWire.uint32(1 << 30) + SSHWire.uint32(32768))
    }

    private func close(_ channel: UInt32) throws {
        guard closed.insert(channel).inserted else { return }
        try say([97] + SSHWire.uint32(channel))
    }

    private func relay() throws {
        guard let tunnel, let next, !closed.contains(tunnel) else { return }
        try send(try next.takeOutput(), on: tunnel)
        guard next.hasEnded, !next.isSilent else { return }
        try end(tunnel, saying: [[96] + SSHWire.uint32(tunnel)])
    }

    // MARK: Data

    private func send(_ bytes: [UInt8], on channel: UInt32) throws {
        flows[channel]?.pending += bytes
        try pour(channel)
    }

    private func end(_ channel: UInt32, saying last: [[UInt8]]) throws {
        if flows[channel]?.last == nil { flows[channel]?.last = last }
        try pour(channel)
    }

    /// Sends the pending data of a channel, as far as the window allows, and then the channel's end.
    private func pour(_ channel: UInt32) throws {
        while var flow = flows[channel], flow.window > 0, !flow.pending.isEmpty {
            let piece = flow.pending.prefix(min(flow.window, 32768))
            flow.window -= piece.count
            flow.pending = flow.pending.dropFirst(piece.count)
            flows[channel] = flow
            try say([94] + SSHWire.uint32(channel) + SSHWire.string(Array(piece)))
        }
        guard let flow = flows[channel], flow.pending.isEmpty, let last = flow.last else { return }
        flows[channel] = nil
        for message in last { try say(message) }
        try close(channel)
    }
}

/// An SFTP server (filexfer-02) with one endless file of known bytes. It answers INIT, READ and WRITE, and refuses other
/// requests.
struct InMemorySFTP {
    private var unread: [UInt8] = []
    /// The number of written bytes that match the file.
    private(set) var writtenCount = 0

    /// The byte of the file at an offset.
    static func byte(at offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 31 ^ offset >> 11) }

    /// Takes data from the client.
    ///
    /// - Returns: the answers to the complete requests.
    mutating func answers(to bytes: [UInt8]) throws -> [UInt8] {
        unread += bytes
        var answers: [UInt8] = []
        while unread.count >= 4 {
            var reader = PayloadReader(unread)
            let length = Int(try reader.uint32())
            guard reader.rest.count >= length else { break }
            answers += SSHWire.string(try answer(to: try reader.bytes(length)))
            unread.removeFirst(4 + length)
        }
        return answers
    }

    private mutating func answer(to packet: [UInt8]) throws -> [UInt8] {
        var reader = PayloadReader(packet)
        switch try reader.byte() {
        case 1: return [2] + SSHWire.uint32(3)
        case 5:
            let id = try reader.uint32()
            _ = try reader.string()
            let offset = try Self.offset(&reader)
            let count = Int(try reader.uint32())
            return [103] + SSHWire.uint32(id) + SSHWire.string((0..<count).map { Self.byte(at: offset + $0) })
        case 6:
            let id = try reader.uint32()
            _ = try reader.string()
            let offset = try Self.offset(&reader)
            let data = try reader.string()
            let isRight = data.indices.allSatisfy { data[$0] == Self.byte(at: offset + $0) }
            if isRight { writtenCount += data.count }
            return Self.status(id, isRight ? 0 : 4)
        default: return Self.status(try reader.uint32(), 8)
        }
    }

    private static func offset(_ reader: inout PayloadReader) throws -> Int {
        Int(try reader.uint32()) << 32 | Int(try reader.uint32())
    }

    private static func status(_ id: UInt32, _ code: UInt32) -> [UInt8] {
        [101] + SSHWire.uint32(id) + SSHWire.uint32(code) + SSHWire.string("") + SSHWire.string("")
    }
}
