/// Reads the data types of RFC 4251 section 5.
struct PayloadReader {
    struct Truncated: Error {}

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func bytes(_ count: Int) throws -> [UInt8] {
        guard count <= rest.count else { throw Truncated() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func byte() throws -> UInt8 { try bytes(1)[0] }
    mutating func boolean() throws -> Bool { try byte() != 0 }
    mutating func uint32() throws -> UInt32 { try bytes(4).reduce(0) { $0 << 8 | UInt32($1) } }
    mutating func string() throws -> [UInt8] { try bytes(Int(try uint32())) }
    mutating func text() throws -> String { String(decoding: try string(), as: UTF8.self) }
}
