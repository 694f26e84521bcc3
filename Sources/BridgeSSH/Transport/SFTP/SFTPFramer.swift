internal import NIOCore

/// Cuts a byte stream into packets: four bytes of length, then as many bytes (filexfer-02 section 3).
struct SFTPFramer {
    /// OpenSSH's own limit, SFTP_MAX_MSG_LENGTH, and room for the header of the longest data that we ask for.
    static let longestPacket = 256 * 1024 + 1024

    private var buffer = ByteBuffer()
    /// Whether a packet has been taken: until then text from a login script is likelier than a broken server.
    private var hasBegun = false

    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 { buffer = bytes } else { buffer.writeImmutableBuffer(bytes) }
    }

    /// The next whole packet, without its length.
    mutating func next() throws(SFTPBreach) -> ByteBuffer? {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        guard (5...Self.longestPacket).contains(Int(length)) else { throw breach(length) }
        guard buffer.readableBytes >= 4 + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: 4)
        defer {
            hasBegun = true
            if buffer.readableBytes == 0 {
                buffer = ByteBuffer()
            } else if buffer.readerIndex > 1 << 20 {
                buffer.discardReadBytes()
            }
        }
        return buffer.readSlice(length: Int(length))
    }

    private func breach(_ length: UInt32) -> SFTPBreach {
        let start = buffer.getBytes(at: buffer.readerIndex, length: min(80, buffer.readableBytes)) ?? []
        if !hasBegun, start.prefix(4).allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) {
            return SFTPBreach("it sent the text \"\(String(decoding: start, as: UTF8.self))\"")
        }
        return SFTPBreach("a packet of \(length) bytes")
    }
}
