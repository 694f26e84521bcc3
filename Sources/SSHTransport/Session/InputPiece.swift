package import NIOCore

/// A piece of a command's standard input, kept in the form in which it came: turning one into the other would copy it.
package enum InputPiece: Sendable {
    case bytes([UInt8])
    case buffer(ByteBuffer)

    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffer(let buffer): buffer.readableBytes
        }
    }

    package var isEmpty: Bool { count == 0 }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch self {
        case .bytes(let bytes): try bytes.withUnsafeBytes(body)
        case .buffer(let buffer): try buffer.withUnsafeReadableBytes(body)
        }
    }

    /// Adds the bytes of another piece.
    package mutating func append(_ other: InputPiece) {
        switch self {
        case .bytes(var bytes):
            self = .bytes([])
            other.withUnsafeBytes { bytes.append(contentsOf: $0) }
            self = .bytes(bytes)
        case .buffer(var buffer):
            self = .bytes([])
            _ = other.withUnsafeBytes { buffer.writeBytes($0) }
            self = .buffer(buffer)
        }
    }
}
