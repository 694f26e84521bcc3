/// One of a running command's output streams: pieces as they come, with back-pressure.
///
/// A slow reader slows the server down: unread output stays with the server once the channel's window is full: 2 MiB, and up to
/// 32 MiB on a path whose delay needs more than that for a round trip. The two streams of a command share that window, so an
/// unread stream can block the other; see ``SSHConnection/execute(_:options:standardInput:standardError:_:)``. For one reader at
/// a time.
public struct SSHOutput: AsyncSequence, Sendable {
    /// A piece of output.
    public typealias Element = OutputChunk

    let execution: SSHExecution
    let stream: Evidence.OutputStream

    /// Reads a stream.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let execution: SSHExecution
        let stream: Evidence.OutputStream

        /// The next piece; nil at the end of the stream.
        ///
        /// - Throws: `SSHError` when the connection is lost before the end; `CancellationError`.
        public mutating func next() async throws -> OutputChunk? {
            try await execution.next(stream)
        }
    }

    /// An iterator; all of a stream's iterators share its position.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(execution: execution, stream: stream)
    }

    /// The stream as lines of UTF-8, without their line ends; invalid bytes become U+FFFD.
    public var lines: SSHOutputLines { SSHOutputLines(output: self) }
}

/// A stream as lines. A last line without a line end is a line; the end of the stream after a line end is none.
public struct SSHOutputLines: AsyncSequence, Sendable {
    /// A line, without LF or CR LF.
    public typealias Element = String

    let output: SSHOutput

    /// Reads lines.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var chunks: SSHOutput.AsyncIterator
        private var pending: [UInt8] = []
        private var position = 0
        private var isAtEnd = false

        init(_ chunks: SSHOutput.AsyncIterator) {
            self.chunks = chunks
        }

        /// The next line; nil at the end. Throws as the stream does.
        public mutating func next() async throws -> String? {
            var searched = position
            while true {
                if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    defer { position = end + 1 }
                    return line(upTo: end)
                }
                if isAtEnd {
                    defer { position = pending.count }
                    return position < pending.count ? line(upTo: pending.count) : nil
                }
                pending.removeSubrange(..<position)
                position = 0
                searched = pending.count
                guard let chunk = try await chunks.next() else {
                    isAtEnd = true
                    continue
                }
                chunk.withUnsafeBytes { pending.append(contentsOf: $0) }
            }
        }

        private func line(upTo end: Int) -> String {
            var bytes = pending[position..<end]
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// An iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(output.makeAsyncIterator())
    }
}
