internal import NIOCore
internal import Synchronization

/// The buffers for a socket's bytes: a small one of its own while little arrives, and a large one, shared by all connections, for
/// bulk data. So an idle connection holds little, whatever it has carried before.
///
/// The channel must make one read at a time (`maxMessagesPerRead`): NIO keeps the first buffer of each for good.
struct ReceiveRoom: RecvByteBufferAllocator {
    /// Large enough for each packet of key exchange and authentication, and for the output of a short command.
    static let little = 1 << 12
    /// As much as four reads of the usual 64 KiB brought: in smaller pieces bulk costs some five in a hundred more.
    static let much = 1 << 18
    private var isBulk = false

    /// - Returns: whether the next buffer must not be the last one once more, which NIO asks for where none is of a known size.
    mutating func record(actualReadBytes count: Int) -> Bool {
        isBulk = isBulk ? count > Self.little : count >= Self.little
        return isBulk
    }

    /// None in bulk: a buffer of a known size NIO would keep.
    func nextBufferSize() -> Int? { isBulk ? nil : Self.little }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        isBulk ? ReceiveBuffers.shared.take(allocator) : allocator.buffer(capacity: Self.little)
    }
}

/// The large buffers that are not in use by a read; any connection may take them.
final class ReceiveBuffers: Sendable {
    static let shared = ReceiveBuffers()
    private static let mostSpare = 2
    private let spare = Mutex<[ByteBuffer]>([])

    func take(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        guard var buffer = spare.withLock({ $0.popLast() }) else { return allocator.buffer(capacity: ReceiveRoom.much) }
        // Allocates new storage if the last bytes are still being read elsewhere.
        buffer.clear()
        return buffer
    }

    /// Takes back a buffer that has been read to its end; leaves any other buffer alone.
    func giveBack(_ buffer: ByteBuffer) {
        guard buffer.capacity == ReceiveRoom.much else { return }
        spare.withLock { if $0.count < Self.mostSpare { $0.append(buffer) } }
    }
}
