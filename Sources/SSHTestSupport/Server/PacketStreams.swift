/// Takes a byte stream apart into packets.
struct PacketInput {
    struct Broken: Error {}

    var protection: PacketProtection?
    private var sequence: UInt32 = 0
    private var unread: [UInt8] = []
    private static let longest = 1 << 18

    mutating func append(_ bytes: some Sequence<UInt8>) { unread += bytes }

    /// The bytes up to a line feed, without the line end.
    mutating func line() -> [UInt8]? {
        guard let end = unread.firstIndex(of: 10) else { return nil }
        defer { unread.removeSubrange(...end) }
        let line = unread[..<end]
        return Array(line.last == 13 ? line.dropLast() : line)
    }

    /// The next payload, or nil until all of it has come.
    mutating func payload() throws -> [UInt8]? {
        let headLength = protection?.headLength ?? 4
        guard unread.count >= headLength else { return nil }
        let head = Array(unread.prefix(headLength))
        var clear = PayloadReader(head)
        let length = Int(try protection?.length(head, sequence: sequence) ?? clear.uint32())
        guard length <= Self.longest else { throw Broken() }
        let count = 4 + length + (protection?.mode.tagLength ?? 0)
        guard unread.count >= count else { return nil }
        let packet = Array(unread.prefix(count))
        let body = try protection?.open(packet, sequence: sequence) ?? Array(packet.dropFirst(4))
        unread.removeFirst(count)
        sequence &+= 1
        guard let padding = body.first, body.count > 1 + Int(padding) else { throw Broken() }
        return Array(body[1..<(body.count - Int(padding))])
    }
}

/// Makes packets.
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
