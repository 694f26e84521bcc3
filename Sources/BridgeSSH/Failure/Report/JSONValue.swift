#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON (RFC 8259) whose members keep the order in which they were given.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int)
    /// Written with at most six decimals; null where it is not finite.
    case number(Double)
    case string(String)
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

    /// The text on one line, as UTF-8.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .integer(let value): output += String(value).utf8
        case .number(let value): output += Self.decimal(value).utf8
        case .string(let value): Self.write(value, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// Escaped as little as RFC 8259 section 7 allows, so that `/` and letters of every language stay readable.
    private static func write(_ text: String, to output: inout [UInt8]) {
        output.reserveCapacity(output.count + text.utf8.count + 2)
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case UInt8(ascii: "\n"): output += "\\n".utf8
            case UInt8(ascii: "\r"): output += "\\r".utf8
            case UInt8(ascii: "\t"): output += "\\t".utf8
            case 0..<0x20, 0x7F:
                let digits = String(byte, radix: 16)
                output += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func decimal(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        guard value.magnitude < 1e9 else { return "\(value)" }
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
    static func seconds(_ seconds: Double) -> JSONValue { .number(seconds.isFinite ? max(0, seconds) : 0) }

    /// A string, or nothing where it is empty.
    static func text(_ text: String?) -> JSONValue? {
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
        if let text = String(validating: bytes, as: UTF8.self) { return Member(name: name, value: .string(text)) }
        return Member(name: name + "Base64", value: .string(Data(bytes).base64EncodedString()))
    }
}
