internal import NIOCore

/// Bytes of one output stream that wait for their reader, and the tail of the bytes that no longer wait. Confined to its
/// session.
struct OutputBuffer {
    /// The use of the stream.
    enum Use {
        /// A reader takes it piece by piece. Bytes that do not fit stay in libssh2, bounded by the window.
        case read
        /// It is kept whole, up to a limit in bytes.
        case collected(Int)
        /// The stream has no reader; only its tail is kept.
        case discarded
    }

    /// The most bytes that are read ahead of a consumer. Bytes that do not fit stay in libssh2, bounded by the window.
    static let maximumReadAhead = 1 << 18
    /// The number of bytes that are read ahead of this stream's consumer.
    private let readAhead: Int
    /// Whether the window is so narrow that there may be many hosts. Then no memory is kept between reads, and no read exceeds
    /// `readAhead`.
    private var isNarrow: Bool { readAhead < Self.maximumReadAhead }

    private(set) var use = Use.read
    /// The number of bytes of the stream that were read from libssh2.
    private(set) var readCount = 0
    private var buffer = ByteBuffer()
    /// The last buffers that readers got, oldest first. Their memory is reused once the readers have released it.
    private var lent: [ByteBuffer] = []
    /// The last 2 KiB of standard output, and the last 8 KiB of standard error.
    private var tails = (output: OutputTail(length: 2048), error: OutputTail(length: 8192))
    let stream: SSHEvidence.OutputStream
    /// For merged streams: the stream of each byte, and the bytes that are being handed out.
    private var merged: (output: MergedOutput, attributed: ByteBuffer)?

    /// - Parameter window: the limit of the channel's window. Only a part of a narrow window is read ahead, because the same
    /// bytes may
    ///   wait in libssh2, here, and with the consumer.
    init(_ stream: SSHEvidence.OutputStream, window: Int) {
        self.stream = stream
        let part = max(1, window / 4)
        // A power of two, as is the capacity of a buffer.
        readAhead = min(Self.maximumReadAhead, 1 << (Int.bitWidth - 1 - part.leadingZeroBitCount))
    }

    var isMerged: Bool { merged != nil }
    mutating func merge() { merged = (MergedOutput(), ByteBuffer()) }
    mutating func note(_ run: MergedOutput.Run) { merged?.output.append(run) }

    /// The number of waiting bytes.
    var count: Int { buffer.readableBytes + (merged?.attributed.readableBytes ?? 0) }

    /// Whether there are bytes whose stream is known.
    var isReadable: Bool { merged.map { $0.output.count > 0 } ?? (count > 0) }

    var hasSpace: Bool {
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

    /// Lets `read` write as many bytes as one read from libssh2 may bring.
    ///
    /// - Parameter spare: used if nothing waits, and returned if nothing comes: most reads find nothing.
    /// - Returns: the result of `read`: the number of bytes that it wrote, or its failure.
    mutating func fill(
        sharing spare: inout ByteBuffer, _ read: (UnsafeMutableRawBufferPointer) -> LibraryResult
    ) -> LibraryResult {
        var result = LibraryResult.success(0)
        if case .discarded = use { drop() }
        if case .read = use, isNarrow {
            result = fillNarrow(sharing: &spare, read)
        } else {
            if buffer.capacity == 0 { makeSpace(&spare) }
            result = Self.read(into: &buffer, atMost: LibraryChannel.readLength, read)
            if buffer.readableBytes == 0, spare.capacity == 0 { giveBack(to: &spare) }
        }
        if case .success(let count) = result { readCount += count }
        return result
    }

    /// Reads at most as many bytes as may be kept, into a buffer of their size.
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
        target.writeWithUnsafeMutableBytes(minimumWritableBytes: LibraryChannel.readLength) { space in
            result = read(UnsafeMutableRawBufferPointer(rebasing: space[..<most]))
            guard case .success(let count) = result else { return 0 }
            return count
        }
        return result
    }

    private mutating func makeSpace(_ spare: inout ByteBuffer) {
        if lent.count > 1 {
            buffer = lent.removeFirst()
            buffer.clear()
        } else if let last = lent.last {
            buffer.reserveCapacity(last.capacity)
        } else {
            swap(&buffer, &spare)
        }
    }

    /// Large memory is not kept: the spare buffer lives as long as the loop.
    private mutating func giveBack(to spare: inout ByteBuffer) {
        if buffer.capacity <= 2 * Self.maximumReadAhead { swap(&buffer, &spare) } else { buffer = ByteBuffer() }
    }

    /// Keeps the stream whole from now on, up to a limit in bytes.
    mutating func collect(_ limit: Int) { use = .collected(limit) }

    /// Keeps only the stream's tail from now on.
    mutating func discard() { use = .discarded }

    /// Adds bytes that did not come by a read, in order, and at most `limit` of them.
    mutating func append(_ rest: DataLedger.UnreadData, atMost limit: Int) {
        var space = limit
        for piece in rest.pieces {
            let part = piece.bytes.prefix(space)
            space -= part.count
            buffer.writeBytes(part)
            merged?.output.append(.init(stream: piece.stream == 0 ? .standardOutput : .standardError, count: part.count))
        }
    }

    /// All waiting bytes, or for merged streams the next bytes of one stream; nil if there are none.
    ///
    /// - Parameter isLast: whether no more input comes. Then the stream of the remaining bytes stays unknown: they are a part
    /// of a
    ///   packet from a lost connection.
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
        // Reading on into a buffer that was handed out would copy its memory.
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

    /// All collected bytes, up to the limit. Collecting ends.
    mutating func takeCollected() -> [UInt8] {
        guard case .collected(let limit) = use else { return [] }
        use = .discarded
        return Array(buffer.readableBytesView.prefix(limit))
    }

    /// Discards the waiting bytes, unless they are collected.
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

/// The end of a stream.
struct OutputTail {
    private var bytes: [UInt8] = []
    private let length: Int

    init(length: Int) { self.length = length }

    mutating func append(_ more: some BidirectionalCollection<UInt8>) {
        bytes.append(contentsOf: more.suffix(length))
        if bytes.count > 2 * length { bytes.removeFirst(bytes.count - length) }
    }

    /// At most as many bytes as are kept.
    var value: [UInt8] { bytes.count > length ? Array(bytes.suffix(length)) : bytes }
}

/// The output of a command, for a caller that wants it whole.
package struct CollectedOutput: Sendable {
    package var standardOutput: [UInt8] = []
    package var standardError: [UInt8] = []
    /// The stream that had more than may be collected.
    package var exceeded: SSHEvidence.OutputStream?

    package init() {}
}
