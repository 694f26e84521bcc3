/// Text for a file name or path whose bytes need not be UTF-8. To operating systems, names are bytes.
///
/// A byte that is not part of a UTF-8 character is mapped to a character of the last private plane: U+10F780 for 0x80 to U+10F7FF
/// for 0xFF. If the bytes themselves encode such a character, they are treated as if they were not UTF-8. So each text represents
/// exactly one sequence of bytes, and each sequence has exactly one text.
package enum PathText {
    private static let foreign: ClosedRange<UInt32> = 0x10_F780...0x10_F7FF
    private static let base: UInt32 = 0x10_F700

    /// The byte that a character represents; nil for an ordinary character.
    package static func byte(of scalar: Unicode.Scalar) -> UInt8? {
        foreign.contains(scalar.value) ? UInt8(scalar.value - base) : nil
    }

    /// Whether UTF-8 may contain such characters. All begin with these two bytes, which hardly any other text contains.
    private static func mayHoldForeign(_ bytes: some Collection<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in bytes {
            if last == 0xF4, byte == 0x8F { return true }
            last = byte
        }
        return false
    }

    // MARK: Bytes

    /// The text of these bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !mayHoldForeign(bytes) { return text }
        var text = String.UnicodeScalarView()
        var parser = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = bytes.startIndex
        func append(_ count: Int) {
            for _ in 0..<count {
                Unicode.Scalar(base + UInt32(bytes[position])).map { text.append($0) }
                bytes.formIndex(after: &position)
            }
        }
        while true {
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return String(text)
            case .error(let count): append(count)
            case .valid(let encoded):
                let scalar = UTF8.decode(encoded)
                if byte(of: scalar) != nil {
                    append(encoded.count)
                } else {
                    text.append(scalar)
                    bytes.formIndex(&position, offsetBy: encoded.count)
                }
            }
        }
    }

    package static func bytes(of text: String) -> [UInt8] {
        guard mayHoldForeign(text.utf8) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) {
                bytes.append(byte)
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
        return bytes
    }

    /// The number of bytes that the text represents.
    package static func count(_ text: String) -> Int {
        mayHoldForeign(text.utf8) ? bytes(of: text).count : text.utf8.count
    }

    // MARK: The C library

    /// The text of a name or path from a system call.
    package static func text(cString: UnsafePointer<CChar>) -> String {
        var count = 0
        while cString[count] != 0 { count += 1 }
        return text(UnsafeBufferPointer(start: cString, count: count).map(UInt8.init(bitPattern:)))
    }

    /// Passes the text to a system call. The call does not see anything after a NUL.
    package static func withCString<Value>(_ text: String, _ body: (UnsafePointer<CChar>) throws -> Value) rethrows -> Value {
        guard mayHoldForeign(text.utf8) else { return try text.withCString(body) }
        return try (bytes(of: text) + [0]).withUnsafeBufferPointer { bytes in
            try bytes.withMemoryRebound(to: CChar.self) { chars in
                // The buffer is not empty: it has at least the terminating zero.
                guard let start = chars.baseAddress else { return try "".withCString(body) }
                return try body(start)
            }
        }
    }

    // MARK: For people and programs

    /// The text for people and JSON, with `\xff` for a byte that is not UTF-8.
    ///
    /// Different texts are shown differently: if a text has such a byte, or contains `\x`, its backslashes are doubled.
    package static func shown(_ text: String) -> String {
        let isForeign = mayHoldForeign(text.utf8) && text.unicodeScalars.contains { byte(of: $0) != nil }
        guard isForeign || holdsEscape(text) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if let byte = byte(of: scalar) {
                shown += "\\x" + String(byte, radix: 16)
            } else if scalar == "\\" {
                shown += "\\\\"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func holdsEscape(_ text: String) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            if last == UInt8(ascii: "\\"), byte == UInt8(ascii: "x") { return true }
            last = byte
        }
        return false
    }
}
