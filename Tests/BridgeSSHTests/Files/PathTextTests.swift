import SSHTestSupport
import Testing

@testable import BridgeSSH
@testable import SSHModel

/// File names as text: each sequence of bytes has a different text.
@Suite("Names that may not be UTF-8")
struct PathTextTests {
    static let names: [([UInt8], String, String)] = [
        (Array("plain".utf8), "plain", "plain"), (Array("äöü/😀".utf8), "äöü/😀", "äöü/😀"), ([], "", ""),
        ([0x78, 0xFF], "x\u{10F7FF}", #"x\xff"#), ([0x80], "\u{10F780}", #"\x80"#),
        // The beginning of a character.
        ([0xE2, 0x82], "\u{10F7E2}\u{10F782}", #"\xe2\x82"#),
        // An overlong form, a surrogate, and a code point beyond the last one.
        ([0xC0, 0xAF], "\u{10F7C0}\u{10F7AF}", #"\xc0\xaf"#),
        ([0xED, 0xA0, 0x80], "\u{10F7ED}\u{10F7A0}\u{10F780}", #"\xed\xa0\x80"#),
        ([0xF4, 0x90, 0x80, 0x80], "\u{10F7F4}\u{10F790}\u{10F780}\u{10F780}", #"\xf4\x90\x80\x80"#),
        // The characters of such bytes, and their neighbours.
        (Array("\u{10F7FF}".utf8), "\u{10F7F4}\u{10F78F}\u{10F79F}\u{10F7BF}", #"\xf4\x8f\x9f\xbf"#),
        (Array("\u{10F77F}\u{10F800}".utf8), "\u{10F77F}\u{10F800}", "\u{10F77F}\u{10F800}"),
        (Array(#"x\xff"#.utf8), #"x\xff"#, #"x\\xff"#), (Array(#"a\b"#.utf8), #"a\b"#, #"a\b"#),
        ([0x5C, 0xFF], "\\\u{10F7FF}", #"\\\xff"#),
    ]

    @Test("each sequence of bytes has its text", arguments: names) func eachHasItsText(
        _ bytes: [UInt8], _ text: String, _ shown: String
    ) {
        #expect(PathText.text(bytes).unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(PathText.bytes(of: text) == bytes)
        #expect(PathText.count(text) == bytes.count)
        #expect(PathText.shown(text) == shown)
        let read = (bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { PathText.text(cString: $0) }
        }
        #expect(read == text)
        #expect(PathText.withCString(text) { PathText.text(cString: $0) } == text)
    }

    @Test("any bytes are restored") func anyBytesComeBack() {
        var random = SeededGenerator(seed: 8)
        let pieces: [[UInt8]] = [
            [0xFF], [0xF4, 0x8F, 0x9F], [0xBF], [0xC3], [0xA4], [0x5C], [0x78], [0x2F], [0xE2, 0x82, 0xAC],
        ]
        var shown: [String: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...5, using: &random)
            let bytes = (0..<count).flatMap { _ in pieces[Int.random(in: pieces.indices, using: &random)] }
            let text = PathText.text(bytes)
            #expect(PathText.bytes(of: text) == bytes)
            #expect(shown.updateValue(bytes, forKey: PathText.shown(text)) ?? bytes == bytes, "two names look alike")
        }
    }
}
