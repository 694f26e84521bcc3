/// An entry of a listing as it came: the name may hold anything.
package struct SFTPName: Sendable, Equatable {
    package var bytes: [UInt8]
    package var attributes: SFTPAttributes
}

/// The entries of one NAME packet, in the packet's own bytes until each is asked for.
///
/// A packet of 256 KiB may hold 20,000 entries, which take ten times that as values of their own.
package struct SFTPNames: Sendable {
    private var reader: SSHWireReader
    private var count: UInt32

    /// Takes what follows the request's id, and checks all of it.
    ///
    /// - Throws: `SFTPBreach`, `SSHWireError`.
    init(_ reader: inout SSHWireReader) throws {
        count = try reader.uint32()
        guard count > 0 else { throw SFTPBreach("a listing of no names") }
        self.reader = reader
        for _ in 0..<count { _ = try Self.entry(&reader) }
    }

    package mutating func popFirst() -> SFTPName? {
        guard count > 0, let (name, attributes) = try? Self.entry(&reader) else { return nil }
        count -= 1
        return SFTPName(bytes: Array(name), attributes: attributes)
    }

    private static func entry(_ reader: inout SSHWireReader) throws -> (ArraySlice<UInt8>, SFTPAttributes) {
        let name = try reader.string()
        // The line as ls -l has it: its format is not specified.
        _ = try reader.string()
        return (name, try SFTPAttributes(from: &reader))
    }
}

extension SFTPNames: Equatable {
    package static func == (one: SFTPNames, other: SFTPNames) -> Bool {
        one.count == other.count && one.reader.remaining == other.reader.remaining
    }
}
