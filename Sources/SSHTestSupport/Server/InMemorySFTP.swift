/// An SFTP server (filexfer-02) with one endless file whose bytes are known: it answers INIT, READ and WRITE, and refuses all else.
struct InMemorySFTP {
    private var unread: [UInt8] = []
    /// How many bytes were written that are those of the file.
    private(set) var writtenCount = 0

    /// The byte of the file at an offset.
    static func byte(at offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 31 ^ offset >> 11) }

    /// Takes what the client has sent.
    ///
    /// - Returns: the answers to what has come whole.
    mutating func answers(to bytes: [UInt8]) throws -> [UInt8] {
        unread += bytes
        var answers: [UInt8] = []
        while unread.count >= 4 {
            var reader = PayloadReader(unread)
            let length = Int(try reader.uint32())
            guard reader.rest.count >= length else { break }
            answers += SSHWire.string(try answer(to: try reader.bytes(length)))
            unread.removeFirst(4 + length)
        }
        return answers
    }

    private mutating func answer(to packet: [UInt8]) throws -> [UInt8] {
        var reader = PayloadReader(packet)
        switch try reader.byte() {
        case 1: return [2] + SSHWire.uint32(3)
        case 5:
            let id = try reader.uint32()
            _ = try reader.string()
            let offset = try Self.offset(&reader)
            let count = Int(try reader.uint32())
            return [103] + SSHWire.uint32(id) + SSHWire.string((0..<count).map { Self.byte(at: offset + $0) })
        case 6:
            let id = try reader.uint32()
            _ = try reader.string()
            let offset = try Self.offset(&reader)
            let data = try reader.string()
            let isRight = data.indices.allSatisfy { data[$0] == Self.byte(at: offset + $0) }
            if isRight { writtenCount += data.count }
            return Self.status(id, isRight ? 0 : 4)
        default: return Self.status(try reader.uint32(), 8)
        }
    }

    private static func offset(_ reader: inout PayloadReader) throws -> Int {
        Int(try reader.uint32()) << 32 | Int(try reader.uint32())
    }

    private static func status(_ id: UInt32, _ code: UInt32) -> [UInt8] {
        [101] + SSHWire.uint32(id) + SSHWire.uint32(code) + SSHWire.string("") + SSHWire.string("")
    }
}
