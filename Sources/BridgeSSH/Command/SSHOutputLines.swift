internal import NIOCore

/// Received bytes of a stream that have not been returned as lines yet.
struct LineBuffer {
    private var bytes: [UInt8] = []
    /// The start of the next line.
    private var position = 0
    /// Between ``position`` and this index there is no line end.
    private var searched = 0
    /// The stream of the latest bytes.
    private var stream = SSHEvidence.OutputStream.standardOutput

    enum Outcome: Equatable {
        case line(String)
        case incomplete
        /// The next line exceeds the length limit.
        case tooLong
    }

    var isEmpty: Bool { position == bytes.count }

    mutating func append(_ chunk: SSHOutputChunk) {
        if position > 0 {
            bytes.removeSubrange(..<position)
            (position, searched) = (0, searched - position)
        }
        stream = chunk.stream
        chunk.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Takes the next line.
    ///
    /// - Parameters:
    ///   - limit: the greatest length in bytes, without the line end.
    ///   - isAtEnd: whether the stream has ended, so that the remaining bytes are a line.
    mutating func take(limit: Int, isAtEnd: Bool) -> Outcome {
        guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) ?? (isAtEnd && !isEmpty ? bytes.count : nil) else {
            searched = bytes.count
            return Self.length(bytes[position...]) > limit ? .tooLong : .incomplete
        }
        let count = Self.length(bytes[position..<end])
        guard count <= limit else { return .tooLong }
        let line = String(decoding: bytes[position..<position + count], as: UTF8.self)
        position = min(end + 1, bytes.count)
        searched = position
        return .line(line)
    }

    /// The length without a CR at the end, which is part of a line end or may be.
    private static func length(_ line: ArraySlice<UInt8>) -> Int {
        line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
    }

    /// Takes all remaining bytes, for a reader that does not want lines.
    mutating func takeRest() -> SSHOutputChunk? {
        guard !isEmpty else { return nil }
        defer { self = LineBuffer() }
        return SSHOutputChunk(ByteBuffer(bytes: bytes[position...]), stream: stream)
    }
}

/// A stream as lines. Text without a line end at the end of the stream is a line; a final line end does not start another one.
public struct SSHOutputLines: AsyncSequence, Sendable {
    /// A line, without LF or CR LF.
    public typealias Element = String

    let output: SSHOutput
    let maximumLength: Int

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let output: SSHOutput
        let maximumLength: Int

        /// The next line; nil at the end. Throws the stream's errors, and an error for a line that is too long.
        public mutating func next() async throws -> String? {
            try await output.source.nextLine(output.stream, limit: maximumLength)
        }
    }

    /// An iterator. All iterators of a stream share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(output: output, maximumLength: maximumLength)
    }

    /// The first line for which a closure on the caller's actor returns true; nil if there is none.
    ///
    /// - Throws: as ``AsyncIterator/next()``; errors of `predicate`.
    public func first(
        isolation: isolated (any Actor)? = #isolation, where predicate: (String) async throws -> Bool
    ) async throws -> String? {
        for try await line in self where try await predicate(line) { return line }
        return nil
    }
}
