internal import NIOCore

/// The two buffers between libssh2 and the carrier of its bytes.
///
/// Confined to its session's event loop, or to the one thread that the session is lent to; see `Session`.
final class Wire {
    /// Bytes for libssh2 to read.
    private let inbound = InboundBytes()
    var inboundCount: Int { inbound.count }
    /// How many of them come before those that are enciphered.
    private(set) var clearCount = 0
    /// Whether what the carrier brings comes in buffers of ``ReceiveBuffers``.
    private var returnsBuffers = false
    /// Bytes that libssh2 has written and that are not yet on their way.
    private var outbound = ByteBuffer()
    private(set) var outboundCount = 0
    private var lastOutbound = 0
    /// An empty buffer for the next read of a channel that has none; all sessions of a loop share one.
    private(set) var spare = SpareBuffer()
    /// How many bytes libssh2 has taken in all: the pump's measure of progress.
    var consumedCount: Int { inbound.consumedCount }
    private(set) var receivedCount = 0
    /// How many times bytes were handed to the carrier.
    private(set) var sendCount = 0

    /// How the stream ended; the first end counts.
    private(set) var end = SSHStreamEnd.open
    /// Whether the receive callback reports the end of the stream to libssh2, which is only wanted when it is torn down.
    private(set) var reportsEnd = false
    /// What the server says before its packets are enciphered.
    private(set) var opening = ServerOpening()
    /// Whether more of that may follow.
    private(set) var isOpening = true

    var hasOutbound: Bool { outboundCount > 0 }
    var hasEnded: Bool { end != .open }

    /// Before the first byte.
    func share(_ spare: SpareBuffer) { self.spare = spare }

    /// The carrier brings its bytes in buffers of ``ReceiveBuffers``.
    func giveBuffersBack() { returnsBuffers = true }

    // MARK: From and to the carrier

    /// Takes bytes from the carrier.
    func received(_ buffer: ByteBuffer) {
        receivedCount += buffer.readableBytes
        guard isOpening else { return inbound.append(buffer) }
        for shown in opening.take(buffer) {
            inbound.append(shown.bytes)
            clearCount += shown.clearCount
        }
        isOpening = !opening.hasEnded
    }

    /// Notes how the stream ended.
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

    /// - Returns: how many bytes were written to `target`, 0 at the end of the stream, or a negative errno.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        // Most calls of libssh2's ask for more than there is.
        guard inboundCount > 0, !target.isEmpty else { return reportsEnd ? 0 : -Int(Errno.again) }
        let count = inbound.read(into: target, givesBack: returnsBuffers)
        if clearCount > 0 { clearCount = max(0, clearCount - count) }
        return count
    }

    func write(_ source: UnsafeRawBufferPointer) -> Int {
        guard !reportsEnd else { return source.count }
        var bytes = ByteBuffer()
        swap(&bytes, &outbound)
        // As much as went out last time, so that the buffer need not grow by copying.
        if bytes.capacity == 0 { bytes.reserveCapacity(max(lastOutbound, source.count)) }
        bytes.writeBytes(source)
        swap(&bytes, &outbound)
        outboundCount += source.count
        return source.count
    }

    /// Discards what libssh2 has not taken: nothing behind a fault of the stream can be trusted.
    func dropInbound() {
        inbound.removeAll()
        clearCount = 0
    }

    /// No byte passes any more: libssh2 is torn down.
    func shut() { reportsEnd = true }
}
