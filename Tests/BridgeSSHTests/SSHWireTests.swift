import BridgeSSH
import Testing

@Suite struct SSHWireTests {
    @Test("every type is read as written") func everyTypeComesBack() throws {
        var writer = SSHWireWriter()
        writer.byte(7)
        writer.boolean(true)
        writer.boolean(false)
        writer.uint32(0xDEAD_BEEF)
        writer.uint64(.max - 1)
        writer.string([0, 255])
        writer.string("é")
        writer.nameList(["a", "b@c"])
        writer.raw([9])
        var reader = SSHWireReader(writer.bytes)
        #expect(try reader.byte() == 7)
        #expect(try reader.boolean())
        #expect(try !reader.boolean())
        #expect(try reader.uint32() == 0xDEAD_BEEF)
        #expect(try reader.uint64() == .max - 1)
        #expect(try reader.string() == [0, 255])
        #expect(try reader.text() == "é")
        #expect(try reader.nameList() == ["a", "b@c"])
        #expect(throws: SSHWireError.trailingBytes(1)) { try reader.expectEnd() }
        #expect(try reader.bytes(1) == [9])
        #expect(reader.isAtEnd)
    }

    /// The examples of RFC 4251 section 5.
    @Test(
        "mpints",
        arguments: [
            ([], [0, 0, 0, 0]),
            ([0x09, 0xA3, 0x78, 0xF9, 0xB2, 0xE3, 0x32, 0xA7], [0, 0, 0, 8, 9, 0xA3, 0x78, 0xF9, 0xB2, 0xE3, 0x32, 0xA7]),
            ([0x80], [0, 0, 0, 2, 0, 0x80]), ([0, 0, 0x7F], [0, 0, 0, 1, 0x7F]),
        ] as [([UInt8], [UInt8])])
    func mpints(magnitude: [UInt8], encoded: [UInt8]) throws {
        var writer = SSHWireWriter()
        writer.mpint(magnitude)
        #expect(writer.bytes == encoded)
        var reader = SSHWireReader(encoded)
        #expect(try reader.mpint().elementsEqual(magnitude.drop { $0 == 0 }))
    }

    @Test("broken input") func brokenInput() {
        func read<T>(_ bytes: [UInt8], _ body: (inout SSHWireReader) throws -> T) throws -> T {
            var reader = SSHWireReader(bytes)
            return try body(&reader)
        }
        #expect(throws: SSHWireError.truncated(needed: 1, available: 0)) { try read([]) { try $0.byte() } }
        #expect(throws: SSHWireError.truncated(needed: 4, available: 3)) { try read([0, 0, 0]) { try $0.uint32() } }
        #expect(throws: SSHWireError.truncated(needed: 2, available: 1)) { try read([0, 0, 0, 2, 1]) { try $0.string() } }
        #expect(throws: SSHWireError.truncated(needed: 0xFFFF_FFFF, available: 0)) {
            try read([255, 255, 255, 255]) { try $0.string() }
        }
        #expect(throws: SSHWireError.negativeInteger) { try read([0, 0, 0, 1, 0x80]) { try $0.mpint() } }
        #expect(throws: SSHWireError.invalidText) { try read([0, 0, 0, 1, 0xFF]) { try $0.text() } }
        #expect(throws: SSHWireError.invalidText) { try read([0, 0, 0, 1, 0x20]) { try $0.nameList() } }
    }

    @Test("Base64") func base64() {
        for (text, encoded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            #expect(Base64.encode(Array(text.utf8)) == encoded)
            #expect(Base64.decode(encoded.utf8) == Array(text.utf8))
        }
        #expect(Base64.encode([0xFB, 0xFF], padded: false) == "+/8")
        for broken in ["Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zg==Zg==", "Zm9v=", "Zm 9", "Zm9-"] {
            #expect(Base64.decode(broken.utf8) == nil, "\(broken)")
        }
    }
}
