/// A packet as it goes over the wire, whose parts may contradict each other (RFC 4253 section 6).
public struct WirePacket: Sendable, Hashable {
    /// Its payload; a proper one is not empty.
    public var payload: [UInt8]
    /// What the length field says, where that is not the length.
    public var length: UInt32?
    /// What the padding length field says, where that is not how much padding there is.
    public var paddingLength: UInt8?
    /// How many bytes of padding there are, where not as few as are allowed.
    public var padding: Int?
    /// Whether its MAC is wrong.
    public var spoilsMAC = false

    /// A proper packet.
    public init(_ payload: [UInt8]) { self.payload = payload }

    /// The length field, and what stands behind it.
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
