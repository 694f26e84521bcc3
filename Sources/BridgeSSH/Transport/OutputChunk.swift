internal import NIOCore

/// A piece of a remote command's output, as it came.
public struct OutputChunk: Sendable, Hashable {
    private let buffer: ByteBuffer

    init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    /// How many bytes there are; never 0.
    public var count: Int { buffer.readableBytes }

    /// The bytes, copied.
    public var bytes: [UInt8] { Array(buffer.readableBytesView) }

    /// Lends the bytes without a copy; they must not be kept.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeReadableBytes(body)
    }

    /// The last bytes, at most `count`.
    func suffix(_ count: Int) -> ByteBufferView.SubSequence { buffer.readableBytesView.suffix(count) }
}

extension Session {
    func nextChunk(_ id: ChannelID, stream: Int) async throws(Fault) -> OutputChunk? {
        try await read(id, stream: stream).map { OutputChunk($0) }
    }

    func write(_ id: ChannelID, _ bytes: [UInt8]) async throws(Fault) -> Bool {
        try await write(id, ByteBuffer(bytes: bytes))
    }
}
