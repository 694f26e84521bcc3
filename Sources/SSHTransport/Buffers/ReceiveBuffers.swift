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

/// The buffers that are not in use by a read, of both sizes; any connection may take them.
final class ReceiveBuffers: Sendable {
    static let shared = ReceiveBuffers()
    private let much = SpareBuffers(of: ReceiveRoom.much)
    private let little = SpareBuffers(of: ReceiveRoom.little)

    func take(isMuch: Bool, _ allocator: ByteBufferAllocator) -> ByteBuffer { (isMuch ? much : little).take(allocator) }

    /// Takes back a buffer that has been read to its end; leaves any other buffer alone.
    func giveBack(_ buffer: ByteBuffer) { (buffer.capacity > ReceiveRoom.little ? much : little).giveBack(buffer) }
}

/// A few spare buffers of one size.
private final class SpareBuffers: Sendable {
    private static let most = 2
    private let capacity: Int
    private let buffers = Mutex<[ByteBuffer]>([])

    init(of capacity: Int) { self.capacity = capacity }

    func take(_ allocator: ByteBufferAllocator) -> ByteBuffer {
        guard var buffer = spare else { return allocator.buffer(capacity: capacity) }
        // Allocates new storage if the last bytes are still being read elsewhere.
        buffer.clear()
        return buffer
    }

    // Apart from its use: a second variable for the buffer would be a second owner, and its storage not used again.
    private var spare: ByteBuffer? { buffers.withLock { $0.popLast() } }

    func giveBack(_ buffer: ByteBuffer) {
        guard buffer.capacity == capacity else { return }
        buffers.withLock { if $0.count < Self.most { $0.append(buffer) } }
    }
}
