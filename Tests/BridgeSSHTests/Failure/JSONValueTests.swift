import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHFailure

@Suite("JSON")
struct JSONValueTests {
    private func pieces(_ value: JSONValue, end: String = "") -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        value.write(end: end) { pieces.append($0) }
        return pieces
    }

    @Test("invisible and misleading characters are escaped")
    func hidden() {
        let escaped: [ClosedRange<UInt32>] = [
            0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
        ]
        // One expectation for 200,000 characters, because an expectation takes longer than the check.
        var wrong: [String] = []
        for value in UInt32(0)...0x30000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = String(decoding: JSONValue.string("a\(scalar)b").bytes, as: UTF8.self)
            let isEscaped = escaped.contains { $0.contains(value) } || scalar == "\"" || scalar == "\\"
            var isRight = text.utf8.contains(UInt8(ascii: "\\")) == isEscaped
            if isEscaped, value >= 0x7F { isRight = isRight && text == "\"a\\u" + String(format: "%04x", value) + "b\"" }
            if !isRight { wrong.append("U+\(String(value, radix: 16)): \(text)") }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(10))")
    }

    @Test(
        "every text is decoded unchanged",
        arguments: ["", "ü\u{85}\u{2028}x", "\u{FEFF}", "\u{1F469}\u{200D}\u{1F4BB}", "\"\\/\n\r\t\0"])
    func roundTrip(_ text: String) throws {
        let bytes = JSONValue.array([.string(text), .utf8(Array(text.utf8))]).bytes
        #expect(try JSONDecoder().decode([String].self, from: Data(bytes)) == [text, text])
    }

    /// The most text that is held before a piece is passed on, plus the longest single text.
    private static let most = 2 * 65536 + 64

    @Test("a large value is written in small pieces", arguments: [0x01, 0x41, 0x22, 0x0A] as [UInt8])
    func bounded(_ byte: UInt8) throws {
        let bytes = [UInt8](repeating: byte, count: 150_001)
        let value = JSONValue.object([JSONValue.bytes("stdout", bytes)])
        let pieces = pieces(value, end: "\n")
        #expect(pieces.allSatisfy { $0.count <= Self.most })
        let whole = Array(pieces.joined())
        #expect(whole == value.bytes + [10])
        #expect(try JSONDecoder().decode([String: String].self, from: Data(whole))["stdout"]?.utf8.count == bytes.count)
    }

    @Test("a large value in base64 is written in small pieces") func base64() throws {
        for count in [0, 1, 2, 49151, 49152, 49153, 300_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) | 0x80 }
            let pieces = pieces(.base64(bytes))
            #expect(pieces.allSatisfy { $0.count <= Self.most })
            #expect(Array(pieces.joined()) == Array("\"\(Data(bytes).base64EncodedString())\"".utf8))
        }
    }

    @Test("a short value is one piece, its line feed included") func onePiece() {
        #expect(pieces(.members(["a": .integer(1)]), end: "\n") == [Array("{\"a\":1}\n".utf8)])
    }

    @Test("bytes are text only if all are valid UTF-8") func validity() {
        let long = [UInt8](repeating: 0x61, count: 65535)
        let scalar = Array("→".utf8)
        for shift in 0..<4 {
            let start = Array(long.dropLast(shift))
            #expect((start + scalar + long).areUTF8)
            #expect(!(start + scalar.dropLast() + long).areUTF8)
            #expect(!(start + scalar.dropFirst()).areUTF8)
        }
        #expect([UInt8]().areUTF8)
        #expect(![UInt8](repeating: 0x80, count: 100_000).areUTF8)
        #expect(!([0xED, 0xA0, 0x80] as [UInt8]).areUTF8)
    }

    @Test("a collector never exceeds twice its limit", arguments: [1, 700, 1 << 10, 3 << 10])
    func space(_ mebibytes: Int) {
        let limit = mebibytes << 20
        var capacity = 1 << 20
        // The capacity that `makeSpace` would request.
        while capacity < limit {
            let next = OutputCollector.space(beyond: capacity, limit: limit)
            #expect(next > capacity && next <= limit)
            #expect(next == limit && capacity <= 1 << 20 || capacity + capacity <= limit, "\(capacity) of \(limit)")
            capacity = next
        }
    }
}
