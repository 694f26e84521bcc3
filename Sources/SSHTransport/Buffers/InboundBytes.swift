internal import NIOCore

/// Received bytes that libssh2 has not taken yet, oldest first. Confined to its wire.
final class InboundBytes {
    /// The oldest, and those that follow.
    private var first = ByteBuffer()
    private var others = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private(set) var count = 0
    /// How many bytes were taken in all.
    private(set) var consumedCount = 0

    func append(_ buffer: ByteBuffer) {
        guard buffer.readableBytes > 0 else { return }
        if count == 0 { first = buffer } else { others.append(buffer) }
        count += buffer.readableBytes
    }

    /// Takes as many bytes as there are and `target` holds.
    ///
    /// - Parameter givesBack: whether buffers that are empty then are those of ``ReceiveBuffers``.
    /// - Returns: how many.
    func read(into target: UnsafeMutableRawBufferPointer, givesBack: Bool) -> Int {
        var copied = 0
        var first = ByteBuffer()
        swap(&first, &self.first)
        while copied < target.count, copied < count {
            let room = UnsafeMutableRawBufferPointer(rebasing: target[copied...])
            copied += first.readWithUnsafeReadableBytes { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(room.count))
                room.copyMemory(from: part)
                return part.count
            }
            guard first.readableBytes == 0 else { break }
            let empty = first
            first = count > copied ? others.popFirst() ?? ByteBuffer() : ByteBuffer()
            if givesBack { ReceiveBuffers.shared.giveBack(empty) }
        }
        swap(&first, &self.first)
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
