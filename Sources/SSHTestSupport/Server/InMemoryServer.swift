import Crypto

/// An SSH server without a socket: bytes in, bytes out. Confined to one thread.
///
/// It lets every user in by method `none`, runs commands that end when the test says so, and connects each direct-tcpip channel to
/// the next server of a chain.
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
    private var closed: Set<UInt32> = []
    private var saidCount = 0

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
    public func write(_ text: String) throws {
        guard let command, !closed.contains(command) else { return }
        try say([94] + SSHWire.uint32(command) + SSHWire.string(text))
    }

    /// Ends the command, if one runs.
    public func exit(_ status: UInt32) throws {
        guard let command, !closed.contains(command) else { return }
        let channel = SSHWire.uint32(command)
        try say([98] + channel + SSHWire.string("exit-status") + [0] + SSHWire.uint32(status))
        try say([96] + channel)
        try close(command)
    }

    // MARK: Messages

    private func say(_ payload: [UInt8]) throws {
        guard !hasEnded else { return }
        for packet in uninvited[saidCount] ?? [] { unsent += try output.packet(packet) }
        saidCount += 1
        unsent += try output.packet(payload)
    }

    private func take(_ payload: [UInt8]) throws {
        var reader = PayloadReader(Array(payload.dropFirst()))
        switch payload[0] {
        case 1: end()
        case 5: try say([6] + SSHWire.string(try reader.string()))
        case 20: exchange.clientInit = payload
        case 21: input.protection = nextInput
        case 30: try exchangeKeys(try reader.string())
        case 50: try say([52])
        case 80:
            keepaliveCount += 1
            try say([82])
        case 90 where answersRequests: try open(&reader)
        case 94:
            let channel = try reader.uint32()
            if channel == tunnel { try next?.receive(try reader.string()) }
        case 96:
            // A server ends when its client has ended its side.
            if try reader.uint32() == tunnel, let next, !next.isSilent { next.end() }
        case 97:
            let channel = try reader.uint32()
            if channel == tunnel { next?.end() }
            try close(channel)
        case 98 where answersRequests:
            let channel = try reader.uint32()
            if try reader.text() == "exec" { command = channel }
            if try reader.boolean() { try say([99] + SSHWire.uint32(channel)) }
        default: break
        }
    }

    private func exchangeKeys(_ clientKey: [UInt8]) throws {
        let result = try exchange.answer(to: clientKey, hostKey: hostKey, spoilingSignature: false)
        try say(result.reply)
        try say([21])
        output.protection = result.toClient
        nextInput = result.fromClient
    }

    private func open(_ reader: inout PayloadReader) throws {
        let type = try reader.text()
        let number = try reader.uint32()
        let channel = SSHWire.uint32(number)
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
        let bytes = try next.takeOutput()
        if !bytes.isEmpty { try say([94] + SSHWire.uint32(tunnel) + SSHWire.string(bytes)) }
        guard next.hasEnded, !next.isSilent else { return }
        try say([96] + SSHWire.uint32(tunnel))
        try close(tunnel)
    }
}
