/// Base64 (RFC 4648 section 4), without Foundation, whose intermediate copies cannot be overwritten.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The six bits of a character; nil for padding and for characters outside the alphabet.
    @inline(__always)
    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    package static func encode(_ bytes: some Collection<UInt8>, padded: Bool = true) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                output.append(alphabet[Int(bits >> bitCount & 0x3F)])
            }
        }
        if bitCount > 0 { output.append(alphabet[Int(bits << (6 - bitCount) & 0x3F)]) }
        while padded, output.count % 4 != 0 { output.append(UInt8(ascii: "=")) }
        return String(decoding: output, as: UTF8.self)
    }

    /// The decoded bytes; nil unless `text` consists of whole groups of four characters, the last one padded.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var decoder = Base64Decoder()
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        for character in text {
            guard decoder.accept(character, emit: { output.append($0) }) else { return nil }
        }
        return decoder.isComplete ? output : nil
    }
}

/// Decodes base64 character by character, so that the caller can name the place of an error.
package struct Base64Decoder {
    private var bits: UInt32 = 0
    private var digits = 0
    private var padding = 0

    package init() {}

    /// Whether the characters so far are whole groups of four.
    package var isComplete: Bool { digits == 0 && (padding == 0 || padding == 4) }

    /// Takes one character. Returns false if it is not valid at this place.
    package mutating func accept(_ character: UInt8, emit: (UInt8) -> Void) -> Bool {
        if character == UInt8(ascii: "=") {
            guard padding == 0 ? digits >= 2 : padding < 4 else { return false }
            if padding == 0 {
                padding = digits
                if digits == 3 { emit(UInt8(truncatingIfNeeded: bits >> 10)) }
                emit(UInt8(truncatingIfNeeded: digits == 3 ? bits >> 2 : bits >> 4))
                digits = 0
                bits = 0
            }
            padding += 1
            return true
        }
        guard padding == 0, let value = Base64.value(of: character) else { return false }
        bits = bits << 6 | UInt32(value)
        digits += 1
        if digits == 4 {
            emit(UInt8(truncatingIfNeeded: bits >> 16))
            emit(UInt8(truncatingIfNeeded: bits >> 8))
            emit(UInt8(truncatingIfNeeded: bits))
            digits = 0
            bits = 0
        }
        return true
    }
}
