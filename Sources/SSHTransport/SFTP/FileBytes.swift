internal import NIOCore

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// File content in transit between a file and the connection.
package struct FileBytes: Sendable {
    var buffer = ByteBuffer()

    /// None.
    package init() {}
    init(buffer: ByteBuffer) { self.buffer = buffer }

    package var count: Int { buffer.readableBytes }
}

extension SFTPReply {
    /// The data of an answer to a read.
    package var fileBytes: FileBytes? {
        guard case .data(let buffer) = self else { return nil }
        return FileBytes(buffer: buffer)
    }
}

extension SFTPReply {
    /// An answer to a read, as a server that is not there would send it.
    package static func data(copying bytes: ArraySlice<UInt8>) -> SFTPReply { .data(ByteBuffer(bytes: bytes)) }
}

extension FileBytes {
    package init(_ bytes: ArraySlice<UInt8>) { buffer = ByteBuffer(bytes: bytes) }
    package var array: [UInt8] { Array(buffer.readableBytesView) }
    package var piece: InputPiece { .buffer(buffer) }
}

extension FileBytes {
    /// Whether every byte is 0.
    package var isZero: Bool {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count > 0 else { return true }
            return bytes[0] == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
        }
    }

    package func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try buffer.withUnsafeReadableBytes(body)
    }
}
