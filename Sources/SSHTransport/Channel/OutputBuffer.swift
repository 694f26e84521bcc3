internal import NIOCore

/// What has been read of one stream of a command and waits for its reader, and the tail of what no longer waits. Confined to its
/// session.
struct OutputBuffer {
    /// How the stream is used.
    enum Use {
        /// It is read piece by piece: what does not fit stays in libssh2, bounded by the window.
        case read
        /// It is kept whole, up to a limit in bytes.
        case collected(Int)
        /// It has no reader: only the tail is kept.
        case discarded
    }

    /// The most that is read ahead of a consumer. What does not fit stays in libssh2, bounded by the window.
    static let mostReadAhead = 1 << 18
    /// How much is read ahead of the consumer of this stream.
    private let readAhead: Int
    /// Whether the window is so narrow that there may be many hosts: no memory is kept from one read to the next then, and no more is
    /// read than is read ahead.
    private var isNarrow: Bool { readAhead < Self.mostReadAhead }

    private(set) var use = Use.read
    /// How much of the stream has been read from libssh2.
    private(set) var readCount = 0
    private var buffer = ByteBuffer()
    /// What readers were given last, oldest first: its memory is used again once they have let go of it.
    private var lent: [ByteBuffer] = []
    /// Of standard output the end of 2 KiB, of standard error that of 8.
    private var tails = (output: OutputTail(length: 2048), error: OutputTail(length: 8192))
    let stream: SSHEvidence.OutputStream
    /// Which bytes are of which stream, where both are read as one, and those of them that are being handed out.
    private var merged: (output: MergedOutput, attributed: ByteBuffer)?

    /// - Parameter window: the largest that the channel's window grows to. Of a narrow one a part is read ahead, because the same
    ///   bytes may wait in libssh2, here, and with the consumer.
    init(_ stream: SSHEvidence.OutputStream, window: Int) {
        self.stream = stream
        let part = max(1, window / 4)
        // A power of two, as the room of a buffer is.
        readAhead = min(Self.mostReadAhead, 1 << (Int.bitWidth - 1 - part.leadingZeroBitCount))
    }

    var isMerged: Bool { merged != nil }
    mutating func merge() { merged = (MergedOutput(), ByteBuffer()) }
    mutating func note(_ run: MergedOutput.Run) { merged?.output.append(run) }

    /// Bytes that wait.
    var count: Int { buffer.readableBytes + (merged?.attributed.readableBytes ?? 0) }

    /// Whether there are bytes of which it is known what they are.
    var isReadable: Bool { merged.map { $0.output.count > 0 } ?? (count > 0) }

    var hasRoom: Bool {
        switch use {
        case .read: count < readAhead
        case .collected(let limit): count <= limit
        case .discarded: true
        }
    }

    /// Whether more has arrived than may be collected.
    var passesLimit: Bool {
        if case .collected(let limit) = use { count > limit } else { false }
    }

    /// Lets `read` write as much as one read of libssh2's may bring.
    ///
    /// - Parameter spare: used where nothing waits, and given back where nothing comes: most reads find nothing.
    /// - Returns: what `read` returned: how many bytes it wrote, or why none.
    mutating func fill(
        sharing spare: inout ByteBuffer, _ read: (UnsafeMutableRawBufferPointer) -> LibraryResult
    ) -> LibraryResult {
        var result = LibraryResult.success(0)
        if case .discarded = use { drop() }
        if case .read = use, isNarrow {
            result = fillNarrow(sharing: &spare, read)
        } else {
            if buffer.capacity == 0 { makeRoom(&spare) }
            result = Self.read(into: &buffer, atMost: LibraryChannel.readLength, read)
            if buffer.readableBytes == 0, spare.capacity == 0 { giveBack(to: &spare) }
        }
        if case .success(let count) = result { readCount += count }
        return result
    }

    /// Reads no more than there is room for, and keeps it in as much memory as it needs.
    private mutating func fillNarrow(
        sharing spare: inout ByteBuffer, _ read: (UnsafeMutableRawBufferPointer) -> LibraryResult
    ) -> LibraryResult {
        spare.clear()
        let result = Self.read(into: &spare, atMost: min(LibraryChannel.readLength, readAhead - count), read)
        if spare.readableBytes > 0 { buffer.writeImmutableBuffer(spare) }
        return result
    }

    private static func read(
        into target: inout ByteBuffer, atMost most: Int, _ read: (UnsafeMutableRawBufferPointer) -> LibraryResult
    ) -> LibraryResult {
        var result = LibraryResult.success(0)
        target.writeWithUnsafeMutableBytes(minimumWritableBytes: LibraryChannel.readLength) { room in
            result = read(UnsafeMutableRawBufferPointer(rebasing: room[..<most]))
            guard case .success(let count) = result else { return 0 }
            return count
        }
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

    /// Memory that has held much is not kept: the spare room lives as long as the loop.
    private mutating func giveBack(to spare: inout ByteBuffer) {
        if buffer.capacity <= 2 * Self.mostReadAhead { swap(&buffer, &spare) } else { buffer = ByteBuffer() }
    }

    /// Keeps the stream whole from now on, up to a limit in bytes.
    mutating func collect(_ limit: Int) { use = .collected(limit) }

    /// The stream has no reader any more: only its tail is kept.
    mutating func discard() { use = .discarded }

    /// Adds what did not come by a read, in order, and not more than `limit` bytes of it.
    mutating func append(_ rest: DataLedger.Rest, atMost limit: Int) {
        var room = limit
        for piece in rest.pieces {
            let part = piece.bytes.prefix(room)
            room -= part.count
            buffer.writeBytes(part)
            merged?.output.append(.init(stream: piece.stream == 0 ? .standardOutput : .standardError, count: part.count))
        }
    }

    /// Everything that waits, or with streams that are merged the next of it that is of one stream; nil for nothing.
    ///
    /// - Parameter isLast: whether the input is complete, so that the stream of the rest will stay unknown: part of a packet, of
    ///   a lost connection.
    mutating func take(isLast: Bool) -> (stream: SSHEvidence.OutputStream, bytes: ByteBuffer)? {
        guard let next = isMerged ? takeMerged(isLast: isLast) : takeAll() else { return nil }
        keepTail(next.bytes, of: next.stream)
        return next
    }

    private mutating func takeAll() -> (stream: SSHEvidence.OutputStream, bytes: ByteBuffer)? {
        guard buffer.readableBytes > 0 else { return nil }
        let taken = buffer
        if !isNarrow { lent.append(taken) }
        buffer = ByteBuffer()
        return (stream, taken)
    }

    private mutating func takeMerged(isLast: Bool) -> (stream: SSHEvidence.OutputStream, bytes: ByteBuffer)? {
        guard var (output, attributed) = merged else { return nil }
        // No copy of the memory is to be made by reading on into what has been handed out.
        if attributed.readableBytes == 0, output.count > 0 {
            attributed = buffer
            let rest = buffer.readableBytes - output.count
            buffer = ByteBuffer()
            if rest > 0, let bytes = attributed.getSlice(at: attributed.writerIndex - rest, length: rest) {
                buffer.writeImmutableBuffer(bytes)
                attributed.moveWriterIndex(to: attributed.writerIndex - rest)
            }
        }
        merged = nil
        let next = output.take(from: &attributed)
        merged = (output, attributed)
        return next ?? (isLast ? takeAll() : nil)
    }

    /// Everything that was collected, up to the limit; nothing is collected any more.
    mutating func takeCollected() -> [UInt8] {
        guard case .collected(let limit) = use else { return [] }
        use = .discarded
        return Array(buffer.readableBytesView.prefix(limit))
    }

    /// Discards what waits, unless it was to be kept.
    mutating func clear() {
        if case .collected = use { return }
        drop()
    }

    private mutating func drop() {
        if isMerged {
            while take(isLast: false) != nil {}
        } else if count > 0 {
            keepTail(buffer, of: stream)
            buffer.clear()
        }
    }

    /// The end of a stream, as far as it has been read.
    func tail(of stream: SSHEvidence.OutputStream) -> [UInt8] {
        var copy = self
        if isMerged { copy.drop() } else if count > 0 { copy.keepTail(buffer, of: self.stream) }
        return stream == .standardOutput ? copy.tails.output.value : copy.tails.error.value
    }

    private mutating func keepTail(_ bytes: ByteBuffer, of stream: SSHEvidence.OutputStream) {
        switch stream {
        case .standardOutput: tails.output.append(bytes.readableBytesView)
        case .standardError: tails.error.append(bytes.readableBytesView)
        }
    }
}
