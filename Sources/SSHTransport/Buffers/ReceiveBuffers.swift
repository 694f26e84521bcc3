internal import NIOCore
internal import Synchronization

/// Allocates the buffers for a socket's bytes, which all connections share: small ones while little arrives, and large ones for
/// bulk data. So an idle connection holds almost no memory, even after large transfers.
///
/// The channel must make one read at a time (`maxMessagesPerRead`): NIO keeps the first buffer of each for good.
struct ReceiveBufferAllocator: RecvByteBufferAllocator {
    /// NIO's buffer, for the first bytes: the server's identification.
    static let first = 1 << 8
    /// Large enough for each packet of key exchange and authentication, and for the output of a short command.
    static let smallSize = 1 << 12
    /// The size of four usual reads of 64 KiB. With smaller buffers bulk data costs about 5 % more.
    static let largeSize = 1 << 18
    private var isFirst = true
    private var isBulk = false

    /// - Returns: true: the next buffer must not be the last one again.
    mutating func record(actualReadBytes count: Int) -> Bool {
        isFirst = false
        isBulk = isBulk ? count > Self.smallSize : count >= Self.smallSize
        return true
    }

    /// Always nil: NIO would keep a buffer of a known size.
    func nextBufferSize() -> Int? { nil }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        if isFirst { return allocator.buffer(capacity: Self.first) }
        return ReceiveBuffers.shared.take(isLarge: isBulk, allocator)
    }
}

/// The free receive buffers, two of each size. Any connection may take them.
final class ReceiveBuffers: Sendable {
    /// Two, because one often waits for libssh2 while the next is read into.
    private struct FreePair {
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
    private let largeSize = Mutex(FreePair())
    private let smallSize = Mutex(FreePair())

    func take(isLarge: Bool, _ allocator: ByteBufferAllocator) -> ByteBuffer {
        var buffer = isLarge ? largeSize.withLock { $0.take() } : smallSize.withLock { $0.take() }
        guard buffer.capacity > 0 else {
            return allocator.buffer(capacity: isLarge ? ReceiveBufferAllocator.largeSize : ReceiveBufferAllocator.smallSize)
        }
        // Allocates new storage if the last bytes are still being read elsewhere.
        buffer.clear()
        return buffer
    }

    /// Takes back a buffer that was read to its end; ignores buffers of other sizes.
    func giveBack(_ buffer: ByteBuffer) {
        switch buffer.capacity {
        case ReceiveBufferAllocator.smallSize: smallSize.withLock { $0.giveBack(buffer) }
        case ReceiveBufferAllocator.largeSize: largeSize.withLock { $0.giveBack(buffer) }
        default: break
        }
    }
}

/// A buffer for reads that find nothing. Confined to an event loop.
final class SpareBuffer {
    var buffer = ByteBuffer()
}

/// Received bytes that libssh2 has not taken yet, oldest first. Confined to its ``Wire``.
final class InboundBytes {
    /// The oldest, and those that follow.
    @exclusivity(unchecked) private var first = ByteBuffer()
    @exclusivity(unchecked) private var others = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private(set) var count = 0
    /// The number of bytes taken in all.
    private(set) var consumedCount = 0

    func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        if count == 0 { first = buffer } else { others.append(buffer) }
        count += buffer.readableBytes
    }

    /// Takes bytes until `target` is full or none are left.
    ///
    /// - Parameter givesBack: whether emptied buffers belong to ``ReceiveBuffers``.
    /// - Returns: the number of bytes taken.
    func read(into target: UnsafeMutableRawBufferPointer, givesBack: Bool) -> Int {
        var copied = 0
        while copied < target.count, copied < count {
            let space = UnsafeMutableRawBufferPointer(rebasing: target[copied...])
            copied += first.readWithUnsafeReadableBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(space.count))
                space.copyMemory(from: part)
                return part.count
            }
            guard first.readableBytes == 0 else { break }
            let empty = first
            first = count > copied ? others.popFirst() ?? ByteBuffer() : ByteBuffer()
            if givesBack { ReceiveBuffers.shared.giveBack(empty) }
        }
        count -= copied
        consumedCount += copied
        return copied
    }

    func removeAll() {
        first = ByteBuffer()
        others.removeAll()
        count = 0
    }
}
