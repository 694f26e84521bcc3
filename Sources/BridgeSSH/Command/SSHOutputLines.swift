internal import NIOCore

/// What has been received of a stream and not yet been returned as lines.
struct LineBuffer {
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var position = 0
    /// Before it there is no line end, from ``position`` on.
    private var searched = 0
    /// The stream of the last bytes.
    private var stream = SSHEvidence.OutputStream.standardOutput

    enum Outcome: Equatable {
        case line(String)
        case incomplete
        /// The next line has more bytes than it may have.
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
    ///   - limit: the most bytes that it may have, without its line end.
    ///   - isAtEnd: whether nothing more comes: then what is left is a line.
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

    /// A CR at the end is part of the line end, or may be.
    private static func length(_ line: ArraySlice<UInt8>) -> Int {
        line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
    }

    /// Takes all that is left, for a reader that wants no lines.
    mutating func takeRest() -> SSHOutputChunk? {
        guard !isEmpty else { return nil }
        defer { self = LineBuffer() }
        return SSHOutputChunk(ByteBuffer(bytes: bytes[position...]), stream: stream)
    }
}

/// A stream as lines. A last line without a line end is a line; the end of the stream after a line end is none.
public struct SSHOutputLines: AsyncSequence, Sendable {
    /// A line, without LF or CR LF.
    public typealias Element = String

    let output: SSHOutput
    let maximumLength: Int

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let output: SSHOutput
        let maximumLength: Int

        /// The next line; nil at the end. Throws as the stream does, and for a line that is too long.
        public mutating func next() async throws -> String? {
            try await output.source.nextLine(output.stream, limit: maximumLength)
        }
    }

    /// An iterator; all of a stream's iterators share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(output: output, maximumLength: maximumLength)
    }

    /// The first line that a closure of the caller's actor accepts; nil if none does.
    ///
    /// - Throws: as ``AsyncIterator/next()``; what `predicate` throws.
    public func first(
        isolation: isolated (any Actor)? = #isolation, where predicate: (String) async throws -> Bool
    ) async throws -> String? {
        for try await line in self where try await predicate(line) { return line }
        return nil
    }
}
