/// JSON (RFC 8259) whose members keep the order in which they were given.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written with at most six decimals; null where it is not finite.
    case number(Double)
    case string(String)
    /// A string that is given as its bytes, which have to be UTF-8.
    case utf8([UInt8])
    /// A string that is the base64 of these bytes.
    case base64([UInt8])
    case array([JSONValue])
    case object([Member])

    /// One name and its value.
    package struct Member: Sendable, Equatable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// An object; members without a value are left out.
    package static func members(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(pairs.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    /// The text on one line, as UTF-8, for small values. Large ones are written in pieces.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write { output += $0 }
        return output
    }

    /// Gives the text on one line, as UTF-8, in pieces of about 64 KiB; a shorter text is one piece.
    ///
    /// - Parameter end: what follows the text.
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
    /// A span of time, which is never negative; 0 where it is not a number.
    package static func seconds(_ seconds: Double) -> JSONValue { .number(seconds.isFinite ? max(0, seconds) : 0) }

    /// A string, or nothing where it is empty.
    package static func text(_ text: String?) -> JSONValue? {
        text.flatMap { $0.isEmpty ? nil : .string($0) }
    }

    /// Strings, or nothing where there are none.
    static func texts(_ texts: [String]?) -> JSONValue? {
        texts.flatMap { $0.isEmpty ? nil : .array($0.map { .string($0) }) }
    }

    /// `true`, or nothing.
    static func flag(_ flag: Bool) -> JSONValue? { flag ? .bool(true) : nil }

    /// Bytes under a name: as text where they are UTF-8, else in base64 under the name with `Base64` after it.
    static func bytes(_ name: String, _ bytes: [UInt8]) -> Member {
        bytes.areUTF8 ? Member(name: name, value: .utf8(bytes)) : Member(name: name + "Base64", value: .base64(bytes))
    }
}

extension [UInt8] {
    /// Whether they are UTF-8 (RFC 3629), found out without a copy of them all.
    var areUTF8: Bool {
        var start = 0
        while start < count {
            var end = Swift.min(start + 65536, count)
            // A character has at most three bytes after its first.
            for _ in 0..<3 where end < count && self[end] & 0xC0 == 0x80 { end -= 1 }
            guard String(validating: self[start..<end], as: UTF8.self) != nil else { return false }
            start = end
        }
        return true
    }
}
