internal import NIOCore

/// What has been read of one stream of a command and waits for its reader, and the end of what no longer waits. Confined to its
/// session.
struct OutputBuffer {
    /// What becomes of the stream.
    enum Use {
        /// Somebody takes it, piece by piece: what does not fit stays in libssh2, bounded by the window.
        case read
        /// It is kept whole, up to a limit in bytes.
        case collected(Int)
        /// Nobody wants it: only the tail is kept.
        case discarded
    }

    var use = Use.read
    /// How much of the stream has been read from libssh2.
    private(set) var readCount = 0
    private var buffer = ByteBuffer()
    /// What readers were given last, oldest first: its memory is used again once they have let go of it.
    private var lent: [ByteBuffer] = []
    private var tail: [UInt8] = []
    private let tailLength: Int

    init(tailLength: Int) { self.tailLength = tailLength }

    /// Bytes that wait.
    var count: Int { buffer.readableBytes }

    var hasRoom: Bool {
        switch use {
        case .read: count < SessionChannel.readAhead
        case .collected(let limit): count <= limit
        case .discarded: true
        }
    }

    /// Whether more has come than is to be collected.
    var passesLimit: Bool {
        if case .collected(let limit) = use { count > limit } else { false }
    }

    /// Lets `read` write as much as one read of libssh2's may bring.
    ///
    /// - Parameter spare: used where nothing waits, and given back where nothing comes: most reads find nothing.
    /// - Returns: what `read` returned: how many bytes it wrote, or a code that is negative.
    mutating func fill(sharing spare: inout ByteBuffer, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        if case .discarded = use { drop() }
        if buffer.capacity == 0 { makeRoom(&spare) }
        var result = 0
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: SessionChannel.readLength) { target in
            result = read(target)
            return max(0, result)
        }
        readCount += max(0, result)
        if count == 0, spare.capacity == 0 { swap(&buffer, &spare) }
        return result
    }

    private mutating func makeRoom(_ spare: inout ByteBuffer) {
        if lent.count > 1 {
            buffer = lent.removeFirst()
            buffer.clear()
        } else if let last = lent.last {
            buffer.reserveCapacity(last.capacity)
        } else {
            swap(&buffer, &spare)
        }
    }

    /// Adds what did not come by a read.
    mutating func append(_ bytes: ArraySlice<UInt8>) { buffer.writeBytes(bytes) }

    /// Everything that waits; nil for nothing.
    mutating func take() -> ByteBuffer? {
        guard count > 0 else { return nil }
        keepTail()
        let taken = buffer
        lent.append(taken)
        buffer = ByteBuffer()
        return taken
    }

    /// Everything that was collected, up to the limit; nothing is collected any more.
    mutating func takeCollected() -> [UInt8] {
        guard case .collected(let limit) = use else { return [] }
        use = .discarded
        return Array(buffer.readableBytesView.prefix(limit))
    }

    /// Throws away what waits, unless it was to be kept.
    mutating func clear() {
        if case .collected = use { return }
        drop()
    }

    private mutating func drop() {
        keepTail()
        buffer.clear()
    }

    private mutating func keepTail() {
        guard count > 0 else { return }
        tail.append(contentsOf: buffer.readableBytesView.suffix(tailLength))
        if tail.count > 2 * tailLength { tail.removeFirst(tail.count - tailLength) }
    }

    /// The end of the stream, as far as it has been read.
    var wholeTail: [UInt8] {
        guard count > 0 else { return tail.suffix(tailLength) }
        return (tail + buffer.readableBytesView.suffix(tailLength)).suffix(tailLength)
    }
}
