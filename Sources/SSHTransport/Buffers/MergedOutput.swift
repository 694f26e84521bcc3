internal import NIOCore

/// The stream of each byte, if both streams are read as one in the order in which their packets came.
///
/// libssh2 can merge streams (LIBSSH2_CHANNEL_EXTENDED_DATA_MERGE), but does not report a byte's stream. It frees each packet
/// after it was read to its end, and the allocator then sees the packet's stream. So the bytes come first, and their stream
/// is known later.
struct MergedOutput {
    /// Consecutive bytes of one stream.
    struct Run: Sendable, Hashable {
        var stream: SSHEvidence.OutputStream
        var count: Int
    }

    private(set) var runs = CircularBuffer<Run>(initialCapacity: 4)
    /// Bytes in all runs.
    private(set) var count = 0

    /// Adds bytes whose stream is known, joined with preceding bytes of the same stream.
    mutating func append(_ run: Run) {
        guard run.count > 0 else { return }
        count += run.count
        if let last = runs.last, last.stream == run.stream {
            runs[runs.index(before: runs.endIndex)].count += run.count
        } else {
            runs.append(run)
        }
    }

    /// Takes the next run out of `bytes`; nil while its stream is unknown.
    mutating func take(from bytes: inout ByteBuffer) -> (stream: SSHEvidence.OutputStream, bytes: ByteBuffer)? {
        guard let run = runs.first, let slice = bytes.readSlice(length: min(run.count, bytes.readableBytes)),
            slice.readableBytes > 0
        else { return nil }
        count -= slice.readableBytes
        if slice.readableBytes == run.count {
            runs.removeFirst()
        } else {
            runs[runs.startIndex].count -= slice.readableBytes
        }
        return (run.stream, slice)
    }
}
