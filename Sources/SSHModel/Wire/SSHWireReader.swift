/// Why bytes could not be read as an SSH data structure.
package enum SSHWireError: Error, Sendable, Hashable {
    /// A value needs more bytes than are left.
    case truncated(needed: Int, available: Int)
    /// A negative mpint, where only positive numbers are valid.
    case negativeInteger
    /// The text is not UTF-8, or the name is not printable US-ASCII.
    case invalidText
    /// The number is outside the valid range.
    case outOfRange
    /// Bytes are left after the last expected value.
    case trailingBytes(Int)
}

/// Reads the data types of RFC 4251 section 5 from untrusted bytes, never past their end.
///
/// The returned slices share the storage of the input.
package struct SSHWireReader {
    /// The bytes that have not been read yet.
    package private(set) var remaining: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { remaining = bytes[...] }

    package init(_ bytes: ArraySlice<UInt8>) { remaining = bytes }

    package var isAtEnd: Bool { remaining.isEmpty }

    /// The next `count` bytes.
    package mutating func bytes(_ count: Int) throws(SSHWireError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining.count else {
            throw .truncated(needed: count, available: remaining.count)
        }
        let taken = remaining.prefix(count)
        remaining = remaining.dropFirst(count)
        return taken
    }

    package mutating func byte() throws(SSHWireError) -> UInt8 {
        guard let first = remaining.popFirst() else { throw .truncated(needed: 1, available: 0) }
        return first
    }

    /// Any value but zero is true, as the RFC requires.
    package mutating func boolean() throws(SSHWireError) -> Bool { try byte() != 0 }

    package mutating func uint32() throws(SSHWireError) -> UInt32 {
        var value: UInt32 = 0
        for byte in try bytes(4) { value = value << 8 | UInt32(byte) }
        return value
    }

    package mutating func uint64() throws(SSHWireError) -> UInt64 {
        let high = try uint32()
        let low = try uint32()
        return UInt64(high) << 32 | UInt64(low)
    }

    /// A string: a length of four bytes, then the content, which may be binary.
    package mutating func string() throws(SSHWireError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: try uint32()) else { throw .truncated(needed: .max, available: remaining.count) }
        return try bytes(count)
    }

    /// A string that must be UTF-8.
    package mutating func text() throws(SSHWireError) -> String {
        let content = try string()
        guard let text = String(validating: content, as: UTF8.self) else { throw .invalidText }
        return text
    }

    /// The magnitude of a positive mpint: big-endian, without leading zeros, empty for zero.
    package mutating func mpint() throws(SSHWireError) -> ArraySlice<UInt8> {
        let content = try string()
        if let first = content.first, first & 0x80 != 0 { throw .negativeInteger }
        return content.drop { $0 == 0 }
    }

    /// A comma-separated list. Empty names are dropped: the RFC forbids them, but some peers send them.
    package mutating func nameList() throws(SSHWireError) -> [String] {
        let content = try string()
        guard content.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidText }
        return content.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Throws: ``SSHWireError/trailingBytes(_:)`` if bytes are left.
    package func expectEnd() throws(SSHWireError) {
        guard remaining.isEmpty else { throw .trailingBytes(remaining.count) }
    }
}
