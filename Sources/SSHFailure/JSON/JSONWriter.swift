internal import ErrorCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes JSON in pieces, so that the text of a large value is never in memory as a whole.
struct JSONWriter {
    /// The size of a piece. Shorter texts, which nearly all are, go as one.
    static let piece = 64 << 10
    /// Room for the longest escape behind a piece.
    private static let reserve = 64

    private var waiting: [UInt8] = []
    private let put: ([UInt8]) -> Void

    init(_ put: @escaping ([UInt8]) -> Void) { self.put = put }

    mutating func finish() {
        if !waiting.isEmpty { put(waiting) }
        waiting = []
    }

    private mutating func passOn() {
        guard waiting.count >= Self.piece else { return }
        put(waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    mutating func write(_ byte: UInt8) {
        waiting.append(byte)
        passOn()
    }

    /// A word of JSON's or a number.
    mutating func write(plain text: String) {
        waiting += text.utf8
        passOn()
    }

    /// Escaped as little as RFC 8259 section 7 and `JSONEscape` ask for, so that `/` and letters of every language stay readable.
    mutating func write(text: String) {
        var text = text
        text.withUTF8 { write(utf8: $0) }
    }

    /// The same with the text's bytes, which are UTF-8.
    mutating func write(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        write(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < bytes.count {
            if index - start >= Self.piece {
                write(bytes[start..<index])
                start = index
            }
            let byte = bytes[index]
            guard Self.isSpecial(byte) else {
                index += 1
                continue
            }
            let hidden = byte >= 0x7F ? JSONEscape.scalar(at: bytes[index...]) : nil
            if byte >= 0x7F, hidden == nil {
                index += 1
                continue
            }
            write(bytes[start..<index])
            escape(byte, hidden?.value)
            index += hidden?.count ?? 1
            start = index
        }
        write(bytes[start...])
        write(UInt8(ascii: "\""))
    }

    private mutating func write(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        waiting.append(contentsOf: UnsafeBufferPointer(rebasing: bytes))
        passOn()
    }

    /// Whether it is escaped, or may be the first byte of a character that is.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: true
        default: false
        }
    }

    private mutating func escape(_ byte: UInt8, _ hidden: UInt16?) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): waiting += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): waiting += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
        case UInt8(ascii: "\r"): waiting += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
        case UInt8(ascii: "\t"): waiting += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
        default: JSONEscape.append(hidden ?? UInt16(byte), to: &waiting)
        }
        passOn()
    }

    /// Base64 (RFC 4648 section 4) as a string.
    mutating func write(base64 bytes: [UInt8]) {
        write(UInt8(ascii: "\""))
        // Whole groups of three bytes, so that only the last piece is padded.
        let step = Self.piece / 4 * 3
        for start in stride(from: 0, to: bytes.count, by: step) {
            waiting += Data(bytes[start..<min(start + step, bytes.count)]).base64EncodedString().utf8
            passOn()
        }
        write(UInt8(ascii: "\""))
    }
}
