public import NIOCore

/// A piece of a remote command's output, as it arrived.
public struct SSHOutputChunk: Sendable, Hashable {
    /// The stream it was written to.
    public let stream: SSHEvidence.OutputStream
    /// The bytes, without a copy.
    public let buffer: ByteBuffer

    package init(_ buffer: ByteBuffer, stream: SSHEvidence.OutputStream) {
        self.buffer = buffer
        self.stream = stream
    }

    /// Bytes that did not come from a session.
    package init(copying bytes: [UInt8], stream: SSHEvidence.OutputStream) {
        self.init(ByteBuffer(bytes: bytes), stream: stream)
    }

    /// The number of bytes; never 0.
    public var count: Int { buffer.readableBytes }

    /// The bytes, copied.
    public var bytes: [UInt8] { Array(buffer.readableBytesView) }

    /// Lends the bytes without a copy. Don't keep them after the call.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try buffer.withUnsafeReadableBytes(body)
    }
}
