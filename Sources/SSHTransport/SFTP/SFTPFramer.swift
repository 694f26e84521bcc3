internal import NIOCore

/// Splits a byte stream into packets: four bytes of length, then as many bytes (filexfer-02 section 3).
struct SFTPFramer {
    /// OpenSSH's own limit, SFTP_MAX_MSG_LENGTH, and room for the header of the longest data that we ask for.
    static let longestPacket = 256 * 1024 + 1024

    /// Bytes that have arrived and were not looked at yet.
    private var arrived = ByteBuffer()
    /// The beginning of an incomplete packet, its length included: so each byte is copied at most once.
    private var partial = ByteBuffer()
    /// Whether a packet has been taken: until then text from a login script is likelier than a broken server.
    private var hasBegun = false

    mutating func append(_ bytes: ByteBuffer) {
        if arrived.readableBytes == 0 { arrived = bytes } else { arrived.writeImmutableBuffer(bytes) }
    }

    /// The next whole packet, without its length.
    mutating func next() throws(SFTPBreach) -> ByteBuffer? {
        if partial.readableBytes == 0, let length = try length(in: arrived), arrived.readableBytes >= 4 + length {
            arrived.moveReaderIndex(forwardBy: 4)
            hasBegun = true
            return arrived.readSlice(length: length)
        }
        gather(4)
        guard let length = try length(in: partial) else { return nil }
        partial.reserveCapacity(4 + length)
        gather(4 + length)
        guard partial.readableBytes == 4 + length else { return nil }
        var packet = partial
        partial = ByteBuffer()
        packet.moveReaderIndex(forwardBy: 4)
        hasBegun = true
        return packet
    }

    /// Adds to the partial packet until it has `count` bytes, or nothing is left.
    private mutating func gather(_ count: Int) {
        let missing = max(0, count - partial.readableBytes)
        if let bytes = arrived.readSlice(length: min(missing, arrived.readableBytes)) { partial.writeImmutableBuffer(bytes) }
        // Its memory is the channel's, and need not be kept.
        if arrived.readableBytes == 0 { arrived = ByteBuffer() }
    }

    /// Nil where less than the length has come.
    private func length(in buffer: ByteBuffer) throws(SFTPBreach) -> Int? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        guard (5...Self.longestPacket).contains(Int(length)) else { throw breach(length) }
        return Int(length)
    }

    private func breach(_ length: UInt32) -> SFTPBreach {
        let start = Array((Array(partial.readableBytesView) + arrived.readableBytesView.prefix(80)).prefix(80))
        if !hasBegun, start.prefix(4).allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) {
            return SFTPBreach("it sent the text \"\(String(decoding: start, as: UTF8.self))\"")
        }
        return SFTPBreach("a packet of \(length) bytes")
    }
}
