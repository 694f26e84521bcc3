internal import NIOCore
internal import Synchronization

/// The buffers for a socket's bytes, which all connections share: a small one while little arrives, and a large one for bulk data. So
/// an idle connection holds next to nothing, whatever it has carried before.
///
/// The channel must make one read at a time (`maxMessagesPerRead`): NIO keeps the first buffer of each for good.
struct ReceiveRoom: RecvByteBufferAllocator {
    /// The buffer that NIO keeps, for what comes first: a server's identification.
    static let first = 1 << 8
    /// Large enough for each packet of key exchange and authentication, and for the output of a short command.
    static let little = 1 << 12
    /// As much as four reads of the usual 64 KiB brought: in smaller pieces bulk costs some five in a hundred more.
    static let much = 1 << 18
    private var isFirst = true
    private var isBulk = false

    /// - Returns: that the next buffer must not be the last one once more.
    mutating func record(actualReadBytes count: Int) -> Bool {
        isFirst = false
        isBulk = isBulk ? count > Self.little : count >= Self.little
        return true
    }

    /// None: a buffer of a known size NIO would keep.
    func nextBufferSize() -> Int? { nil }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        if isFirst { return allocator.buffer(capacity: Self.first) }
        return ReceiveBuffers.shared.take(isMuch: isBulk, allocator)
    }
}

/// The buffers that are not in use by a read, two of each size; any connection may take them.
final class ReceiveBuffers: Sendable {
    /// Two, because one often waits for libssh2 while the next is read into.
    private struct Spare {
        private var next = ByteBuffer()
        private var other = ByteBuffer()

        /// One without capacity if there is none.
        mutating func take() -> ByteBuffer {
            var taken = ByteBuffer()
            swap(&taken, &next)
            swap(&next, &other)
            return taken
        }

        mutating func giveBack(_ buffer: ByteBuffer) { if next.capacity == 0 { next = buffer } else { other = buffer } }
    }

    static let shared = ReceiveBuffers()
    private let much = Mutex(Spare())
    private let little = Mutex(Spare())

    func take(isMuch: Bool, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = isMuch ? much.withLock { $0.take() } : little.withLock { $0.take() }
        guard buffer.capacity > 0 else { return allocator.buffer(capacity: isMuch ? ReceiveRoom.much : ReceiveRoom.little) }
        // Allocates new storage if the last bytes are still being read elsewhere.
        buffer.clear()
        return buffer
    }

    /// Takes back a buffer that has been read to its end; leaves any other buffer alone.
    func giveBack(_ buffer: ByteBuffer) {
        switch buffer.capacity {
        case ReceiveRoom.little: little.withLock { $0.giveBack(buffer) }
        case ReceiveRoom.much: much.withLock { $0.giveBack(buffer) }
        default: break
        }
    }
}
