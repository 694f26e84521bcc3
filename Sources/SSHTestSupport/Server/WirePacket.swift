/// A packet on the wire, whose fields may contradict each other (RFC 4253 section 6).
public struct WirePacket: Sendable, Hashable {
    /// The payload. In a well-formed packet it is not empty.
    public var payload: [UInt8]
    /// A false value for the length field; nil for the right one.
    public var length: UInt32?
    /// A false value for the padding length field; nil for the right one.
    public var paddingLength: UInt8?
    /// The number of bytes of padding; nil for the smallest allowed number.
    public var padding: Int?
    /// Whether its MAC is wrong.
    public var spoilsMAC = false

    /// Makes a well-formed packet.
    public init(_ payload: [UInt8]) { self.payload = payload }

    /// The length field, and the bytes after it.
    func parts(blockLength: Int, hasSeparateLength: Bool) -> (length: [UInt8], body: [UInt8]) {
        let unpadded = (hasSeparateLength ? 1 : 5) + payload.count
        var fewest = blockLength - unpadded % blockLength
        if fewest < 4 { fewest += blockLength }
        let count = padding ?? fewest
        var body = [UInt8]()
        body.reserveCapacity(1 + payload.count + count)
        body.append(paddingLength ?? UInt8(truncatingIfNeeded: count))
        body += payload
        body += [UInt8](repeating: 0, count: count)
        return (SSHWire.uint32(length ?? UInt32(body.count)), body)
    }
}

/// Splits a byte stream into packets.
struct PacketInput {
    struct MalformedPacket: Error {}

    var protection: PacketProtection?
    private var sequence: UInt32 = 0
    private var unread: [UInt8] = []
    private static let maximumLength = 1 << 18

    mutating func append(_ bytes: some Sequence<UInt8>) { unread += bytes }

    /// The bytes up to a line feed, without the line end.
    mutating func line() -> [UInt8]? {
        guard let end = unread.firstIndex(of: 10) else { return nil }
        defer { unread.removeSubrange(...end) }
        let line = unread[..<end]
        return Array(line.last == 13 ? line.dropLast() : line)
    }

    /// The next payload; nil until all of it has arrived.
    mutating func payload() throws -> [UInt8]? {
        let headLength = protection?.headLength ?? 4
        guard unread.count >= headLength else { return nil }
        let head = Array(unread.prefix(headLength))
        var clear = PayloadReader(head)
        let length = Int(try protection?.length(head, sequence: sequence) ?? clear.uint32())
        guard length <= Self.maximumLength else { throw MalformedPacket() }
        let count = 4 + length + (protection?.mode.tagLength ?? 0)
        guard unread.count >= count else { return nil }
        let packet = Array(unread.prefix(count))
        let body = try protection?.open(packet, sequence: sequence) ?? Array(packet.dropFirst(4))
        unread.removeFirst(count)
        sequence &+= 1
        guard let padding = body.first, body.count > 1 + Int(padding) else { throw MalformedPacket() }
        return Array(body[1..<(body.count - Int(padding))])
    }
}

/// Encodes and protects packets.
struct PacketOutput {
    var protection: PacketProtection?
    private var sequence: UInt32 = 0

    mutating func packet(_ payload: [UInt8]) throws -> [UInt8] { try packet(WirePacket(payload)) }

    mutating func packet(_ packet: WirePacket) throws -> [UInt8] {
        defer { sequence &+= 1 }
        let mode = protection?.mode
        let parts = packet.parts(blockLength: mode?.blockLength ?? 8, hasSeparateLength: mode?.hasSeparateLength ?? false)
        var bytes = try protection?.seal(parts.length, parts.body, sequence: sequence) ?? parts.length + parts.body
        if packet.spoilsMAC { bytes[bytes.count - 1] ^= 0xff }
        return bytes
    }
}

/// Reads the data types of RFC 4251 section 5.
struct PayloadReader {
    struct Truncated: Error {}

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func bytes(_ count: Int) throws -> [UInt8] {
        guard count <= rest.count else { throw Truncated() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func byte() throws -> UInt8 { try bytes(1)[0] }
    mutating func boolean() throws -> Bool { try byte() != 0 }
    mutating func uint32() throws -> UInt32 { try bytes(4).reduce(0) { $0 << 8 | UInt32($1) } }
    mutating func string() throws -> [UInt8] { try bytes(Int(try uint32())) }
    mutating func text() throws -> String { String(decoding: try string(), as: UTF8.self) }
}
