internal import NIOCore

/// Received bytes that libssh2 has not taken yet, oldest first.
struct InboundBytes {
    /// The oldest, and those that follow.
    private var first = ByteBuffer()
    private var others = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private(set) var count = 0
    /// How many bytes were taken in all.
    private(set) var consumedCount = 0

    mutating func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        if count == 0 { first = buffer } else { others.append(buffer) }
        count += buffer.readableBytes
    }

    /// Takes as many bytes as there are and `target` holds.
    ///
    /// - Parameter givesBack: whether buffers that are empty then are those of ``ReceiveBuffers``.
    /// - Returns: how many.
    mutating func read(into target: UnsafeMutableRawBufferPointer, givesBack: Bool) -> Int {
        var copied = 0
        while copied < target.count, copied < count {
            let room = UnsafeMutableRawBufferPointer(rebasing: target[copied...])
            copied += first.readWithUnsafeReadableBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(room.count))
                room.copyMemory(from: part)
                return part.count
            }
            guard first.readableBytes == 0 else { break }
            let empty = first
            first = others.popFirst() ?? ByteBuffer()
            if givesBack { ReceiveBuffers.shared.giveBack(empty) }
        }
        count -= copied
        consumedCount += copied
        return copied
    }

    mutating func removeAll() {
        first = ByteBuffer()
        others.removeAll()
        count = 0
    }
}
