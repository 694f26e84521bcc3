internal import NIOCore

/// The two buffers between libssh2 and the transport of its bytes.
///
/// Confined to its session's event loop, or to the one thread that the session is lent to; see `Session`.
final class Wire {
    /// Bytes for libssh2 to read.
    private let inbound = InboundBytes()
    var inboundCount: Int { inbound.count }
    /// The number of these bytes that come before the encrypted ones.
    private(set) var clearCount = 0
    /// Whether the transport uses the buffers of ``ReceiveBuffers``.
    private var reusesBuffers = false
    /// Bytes that libssh2 has written and the transport does not have yet.
    @exclusivity(unchecked) private var outbound = ByteBuffer()
    private(set) var outboundCount = 0
    private var lastOutbound = 0
    /// An empty buffer for the next read of a channel without one. All sessions of a loop share it.
    private(set) var spare = SpareBuffer()
    /// The number of bytes that libssh2 has taken in all. The pump measures progress by it.
    var consumedCount: Int { inbound.consumedCount }
    private(set) var receivedCount = 0
    /// The number of writes to the transport.
    private(set) var sendCount = 0

    /// The end of the stream; the first end counts.
    private(set) var end = SSHStreamEnd.open
    /// Whether the receive callback reports the end of the stream to libssh2. It does so only while the session is freed.
    private(set) var reportsEnd = false
    /// The server's unencrypted bytes.
    private(set) var opening = ServerOpening()
    /// Whether more unencrypted bytes may follow.
    private(set) var isOpening = true

    var hasOutbound: Bool { outboundCount > 0 }
    var hasEnded: Bool { end != .open }

    /// Before the first byte.
    func share(_ spare: SpareBuffer) { self.spare = spare }

    /// The transport brings its bytes in buffers of ``ReceiveBuffers``.
    func enableBufferReuse() { reusesBuffers = true }

    // MARK: From and to the transport

    /// Takes bytes from the transport.
    func received(_ buffer: ByteBuffer) {
        receivedCount += buffer.readableBytes
        guard isOpening else { return inbound.append(buffer) }
        for shown in opening.take(buffer) {
            inbound.append(shown.bytes)
            clearCount += shown.clearCount
        }
        isOpening = !opening.hasEnded
    }

    /// Notes the end of the stream.
    func ended(_ end: SSHStreamEnd) {
        guard !hasEnded else { return }
        self.end = end
        opening.finish()
    }

    /// Everything that libssh2 has written since the last call.
    func takeOutbound() -> ByteBuffer {
        var bytes = ByteBuffer()
        swap(&bytes, &outbound)
        lastOutbound = outboundCount
        outboundCount = 0
        sendCount += 1
        return bytes
    }

    // MARK: From and to libssh2

    /// - Returns: the number of bytes written to `target`, 0 at the end of the stream, or a negative errno.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        // Most libssh2 calls ask for more bytes than there are.
        guard inboundCount > 0, !target.isEmpty else { return reportsEnd ? 0 : -Int(Errno.again) }
        let count = inbound.read(into: target, givesBack: reusesBuffers)
        if clearCount > 0 { clearCount = max(0, clearCount - count) }
        return count
    }

    func write(_ source: UnsafeRawBufferPointer) -> Int {
        guard !reportsEnd else { return source.count }
        // Reserve the size of the last write, so that the buffer need not grow by copying.
        if outbound.capacity == 0 { outbound.reserveCapacity(max(lastOutbound, source.count)) }
        outbound.writeBytes(source)
        outboundCount += source.count
        return source.count
    }

    /// Discards the bytes that libssh2 has not taken: bytes after a fault cannot be trusted.
    func dropInbound() {
        inbound.removeAll()
        clearCount = 0
    }

    /// Stops passing bytes: the libssh2 session is being freed.
    func shut() { reportsEnd = true }
}
