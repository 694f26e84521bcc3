import Crypto

/// An SSH server without a socket: bytes in, bytes out. Confined to one thread.
///
/// It lets every user in by method `none`, runs commands that end when the test says so, has an SFTP server with one file, and
/// connects each direct-tcpip channel to the next server of a chain. It keeps to the client's windows, and renews keys when the test
/// says so.
public final class InMemoryServer {
    private let next: InMemoryServer?
    private let hostKey = Curve25519.Signing.PrivateKey()
    private var exchange = ServerKeyExchange()
    private var input = PacketInput()
    private var output = PacketOutput()
    /// The client's keys between our NEWKEYS and its own.
    private var nextInput: PacketProtection?
    private var unsent: [UInt8] = []
    private var command: UInt32?
    private var tunnel: UInt32?
    private var sftp: UInt32?
    private var file = InMemorySFTP()
    private var flows: [UInt32: Flow] = [:]
    private var closed: Set<UInt32> = []
    private var saidCount = 0
    /// What waits for the end of a key exchange.
    private var heldBack: [[UInt8]] = []
    private var clientExchangesKeys = false

    /// What goes to the client on a channel.
    private struct Flow {
        var window: Int
        var pending: ArraySlice<UInt8> = []
        /// The messages behind all of it, before the channel is closed.
        var last: [[UInt8]]?
    }

    /// Whether it has begun to renew keys, and that has not come to its own SSH_MSG_NEWKEYS.
    public private(set) var isRenewingKeys = false
    /// How often keys were renewed.
    public private(set) var renewalCount = 0
    /// The numbers of the messages that came during a key exchange, from the client's KEXINIT to its NEWKEYS, and that do not belong
    /// there (RFC 4253 section 7.1): OpenSSH 10.4 ends the connection for any.
    public private(set) var strays: [UInt8] = []
    /// What has come on the standard input of the command.
    public private(set) var received: [UInt8] = []
    /// The byte of its file at an offset.
    public static func fileByte(at offset: Int) -> UInt8 { InMemorySFTP.byte(at: offset) }
    /// How many bytes were written to the file over SFTP, each the right one.
    public var writtenCount: Int { file.writtenCount }

    /// How many keepalives it has had.
    public private(set) var keepaliveCount = 0
    /// Whether its side of the connection has ended.
    public private(set) var hasEnded = false
    /// Whether it neither hears nor says anything any more, and leaves the connection open.
    public var isSilent = false
    /// Whether it answers requests for channels, and those made on channels.
    public var answersRequests = true

    /// What it says without being asked, before one of its own messages: by the number of that, SSH_MSG_KEXINIT being 0.
    public var uninvited: [Int: [WirePacket]] = [:]

    /// - Parameters:
    ///   - next: the server that direct-tcpip channels lead to.
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

    /// Says the server's first words.
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

    /// What it has said since the last call, what comes through its tunnel included.
    public func takeOutput() throws -> [UInt8] {
        guard !isSilent else { return [] }
        try relay()
        defer { unsent = [] }
        return unsent
    }

    /// The client is gone, or the connection is cut.
    public func end() { hasEnded = true }

    // MARK: The command

    /// Writes to the standard output of the command, if one runs.
    public func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// The same, as the client's window allows.
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

    /// Begins to renew keys, once there are any. What else it has to say waits for that.
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
        for packet in uninvited[saidCount] ?? [] { unsent += try output.packet(packet) }
        saidCount += 1
        unsent += try output.packet(payload)
    }

    private func take(_ payload: [UInt8]) throws {
        if clientExchangesKeys, payload[0] != 1, !(20...49).contains(payload[0]) { strays.append(payload[0]) }
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
            // A server ends when its client has ended its side.
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
        flows[number] = Flow(window: Int(try reader.uint32()))
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

    /// Sends what waits on a channel, as far as the window allows, and behind it the channel's end.
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
