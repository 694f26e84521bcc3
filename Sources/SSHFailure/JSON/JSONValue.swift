internal import ErrorCore

/// A JSON value (RFC 8259) whose members keep their order.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written with at most six decimals, or as null if it is not finite.
    case number(Double)
    case string(String)
    /// A string, given as UTF-8 bytes.
    case utf8([UInt8])
    /// A string with the base64 form of these bytes.
    case base64([UInt8])
    case array([JSONValue])
    case object([Member])

    /// A name and its value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An object. Members without a value are left out.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The JSON text on one line, as UTF-8. For small values; large ones are written in pieces.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write { output += $0 }
        return output
    }

    /// Passes the JSON text on one line, as UTF-8, in pieces of about 64 KiB. A shorter text is one piece.
    ///
    /// - Parameter end: text to append.
    package func write(end: String = "", _ put: @escaping ([UInt8]) -> Void) {
        var writer = JSONWriter(put)
        write(to: &writer)
        writer.write(plain: end)
        writer.finish()
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.write(plain: "null")
        case .bool(let value): writer.write(plain: value ? "true" : "false")
        case .integer(let value): writer.write(plain: String(value))
        case .number(let value): writer.write(plain: Self.decimal(value))
        case .string(let value): writer.write(text: value)
        case .utf8(let value): value.withUnsafeBufferPointer { writer.write(utf8: $0) }
        case .base64(let value): writer.write(base64: value)
        case .array(let values):
            writer.write(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { writer.write(UInt8(ascii: ",")) }
                value.write(to: &writer)
            }
            writer.write(UInt8(ascii: "]"))
        case .object(let members):
            writer.write(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { writer.write(UInt8(ascii: ",")) }
                writer.write(text: member.name)
                writer.write(UInt8(ascii: ":"))
                member.value.write(to: &writer)
            }
            writer.write(UInt8(ascii: "}"))
        }
    }

    private static func decimal(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        guard value.magnitude < 1e9 else { return "\(value)" }
        if value == 0 { return "0.0" }
        let millionths = (value * 1e6).rounded()
        var digits = String(Int(millionths.magnitude))
        while digits.count < 7 { digits = "0" + digits }
        var fraction = digits.suffix(6)
        while fraction.last == "0", fraction.count > 1 { fraction.removeLast() }
        return (millionths < 0 ? "-" : "") + digits.dropLast(6) + "." + fraction
    }
}

extension JSONValue {
    /// A time span in seconds, never negative; 0 if it is not finite.
    package static func seconds(_ seconds: Double) -> JSONValue { .number(seconds.isFinite ? max(0, seconds) : 0) }

    /// A string, or nil if it is empty.
    package static func text(_ text: String?) -> JSONValue? {
        text.flatMap { $0.isEmpty ? nil : .string($0) }
    }

    /// Strings, or nil if there are none.
    static func texts(_ texts: [String]?) -> JSONValue? {
        texts.flatMap { $0.isEmpty ? nil : .array($0.map { .string($0) }) }
    }

    static func flag(_ flag: Bool) -> JSONValue? { flag ? .bool(true) : nil }

    /// A member with bytes: as text if they are UTF-8, otherwise in base64, with `Base64` appended to the name.
    static func bytes(_ name: String, _ bytes: [UInt8]) -> Member {
        bytes.areUTF8 ? Member(name: name, value: .utf8(bytes)) : Member(name: name + "Base64", value: .base64(bytes))
    }
}

extension [UInt8] {
    /// Whether the bytes are UTF-8 (RFC 3629), checked without copying them all.
    var areUTF8: Bool {
        var start = 0
        while start < count {
            var end = Swift.min(start + 65536, count)
            // A character has at most three continuation bytes.
            for _ in 0..<3 where end < count && self[end] & 0xC0 == 0x80 { end -= 1 }
            guard String(validating: self[start..<end], as: UTF8.self) != nil else { return false }
            start = end
        }
        return true
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes JSON in pieces, so that the whole text of a large value is never in memory.
struct JSONWriter {
    /// The size of a piece. Nearly all texts are shorter and are written as one.
    static let piece = 64 << 10
    /// Space for the longest escape after a piece.
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

    /// A JSON keyword or a number.
    mutating func write(plain text: String) {
        waiting += text.utf8
        passOn()
    }

    /// Escapes only what RFC 8259 section 7 and `JSONEscape` require, so that `/` and letters of every language stay readable.
    mutating func write(text: String) {
        var text = text
        text.withUTF8 { write(utf8: $0) }
    }

    /// The same for a text given as UTF-8 bytes.
    mutating func write(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        write(UInt8(ascii: "\""))
        if bytes.count <= Self.piece, Self.isPlain(bytes) {
            write(bytes[...])
            return write(UInt8(ascii: "\""))
        }
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

    /// Whether the bytes are ASCII and need no escape, as for nearly every text. The loop has no branch per byte.
    private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.reduce(into: true) {
            $0 = $0 && $1 >= 0x20 && $1 < 0x7F && $1 != UInt8(ascii: "\"") && $1 != UInt8(ascii: "\\")
        }
    }

    private mutating func write(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        waiting.append(contentsOf: UnsafeBufferPointer(rebasing: bytes))
        passOn()
    }

    /// Whether the byte needs an escape, or may start a character that does.
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

    /// Writes base64 (RFC 4648 section 4) as a string.
    mutating func write(base64 bytes: [UInt8]) {
        write(UInt8(ascii: "\""))
        // Whole groups of three bytes, so that only the last piece has padding.
        let step = Self.piece / 4 * 3
        for start in stride(from: 0, to: bytes.count, by: step) {
            waiting += Data(bytes[start..<min(start + step, bytes.count)]).base64EncodedString().utf8
            passOn()
        }
        write(UInt8(ascii: "\""))
    }
}
