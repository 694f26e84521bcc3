/// Parses JSON to the same values as YAML, each with its line.
struct JSONText {
    private static let maximumDepth = 64

    private let bytes: [UInt8]
    private let file: String
    private var index = 0
    private var line = 1
    private var depth = 0

    /// The value of a text (RFC 8259).
    static func load(_ text: String, file: String) throws(HostSetProblem) -> SourceNode {
        var reader = JSONText(bytes: Array(text.utf8), file: file)
        let value = try reader.value()
        reader.skipBlanks()
        if reader.index < reader.bytes.count { throw reader.problem("something follows the value") }
        return value
    }

    private init(bytes: [UInt8], file: String) {
        self.bytes = bytes
        self.file = file
    }

    private func problem(_ reason: String) -> HostSetProblem {
        HostSetProblem(.malformed, "This is not JSON: \(reason).", location: .init(file: file, line: line))
    }

    private mutating func skipBlanks() {
        while index < bytes.count {
            switch bytes[index] {
            case 10: line += 1
            case 9, 13, 32: break
            default: return
            }
            index += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func value() throws(HostSetProblem) -> SourceNode {
        skipBlanks()
        guard index < bytes.count else { throw problem("it ends before a value") }
        depth += 1
        defer { depth -= 1 }
        if depth > Self.maximumDepth { throw problem("values are nested more than \(Self.maximumDepth) deep") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""):
            let place = line
            return SourceNode(.scalar(try string(), .text), line: place)
        default: return try word()
        }
    }

    private mutating func object() throws(HostSetProblem) -> SourceNode {
        let start = line
        index += 1
        var pairs = SourcePairs()
        skipBlanks()
        if take(UInt8(ascii: "}")) { return SourceNode(.mapping([]), line: start) }
        repeat {
            skipBlanks()
            let place = line
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
            let key = SourceNode(.scalar(try string(), .text), line: place)
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw problem("a colon is missing after a name") }
            pairs.set(key, try value())
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw problem("a comma or } is missing") }
        return SourceNode(.mapping(pairs.merged()), line: start).withoutWrapping
    }

    private mutating func array() throws(HostSetProblem) -> SourceNode {
        let start = line
        index += 1
        var items: [SourceNode] = []
        skipBlanks()
        if take(UInt8(ascii: "]")) { return SourceNode(.list(items), line: start) }
        repeat {
            items.append(try value())
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw problem("a comma or ] is missing") }
        return SourceNode(.list(items), line: start)
    }

    private mutating func word() throws(HostSetProblem) -> SourceNode {
        let start = index
        while index < bytes.count, !",]}: \t\r\n\"[{".utf8.contains(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // The last three are Python's extensions.
        if Self.isNumber(bytes[start..<index]) || ["NaN", "Infinity", "-Infinity"].contains(text) {
            return SourceNode(.scalar(text, .jsonNumber), line: line)
        }
        guard ["true", "false", "null"].contains(text) else {
            throw problem(text.isEmpty ? "a value is missing" : "\(HostSetProblem.shown(text)) is not a value")
        }
        return SourceNode(.scalar(text, .plain), line: line)
    }

    /// Whether the text is a number by RFC 8259, section 6.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        let whole = rest.prefix(while: isDigit)
        guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else { return false }
        rest = rest.dropFirst(whole.count)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            if fraction.isEmpty { return false }
            rest = rest.dropFirst(1 + fraction.count)
        }
        if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            return !rest.isEmpty && rest.allSatisfy(isDigit)
        }
        return rest.isEmpty
    }

    private mutating func string() throws(HostSetProblem) -> String {
        index += 1
        var result: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(&result)
            case 0..<32: throw problem("a control character stands in a text")
            default: result.append(byte)
            }
        }
        throw problem("a quote is not closed")
    }

    private mutating func escape(_ result: inout [UInt8]) throws(HostSetProblem) {
        guard index < bytes.count else { throw problem("a quote is not closed") }
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
        case UInt8(ascii: "b"): result.append(8)
        case UInt8(ascii: "f"): result.append(12)
        case UInt8(ascii: "n"): result.append(10)
        case UInt8(ascii: "r"): result.append(13)
        case UInt8(ascii: "t"): result.append(9)
        case UInt8(ascii: "u"):
            var value = UInt32(try unit())
            if (0xD800..<0xDC00).contains(value), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
                let low = UInt32(try unit())
                if (0xDC00..<0xE000).contains(low) { value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00) }
            }
            guard let scalar = Unicode.Scalar(value) else { throw problem("a text has half of a character") }
            result += Array(String(Character(scalar)).utf8)
        default: throw problem("an escape sequence is invalid")
        }
    }

    private mutating func unit() throws(HostSetProblem) -> UInt16 {
        guard index + 4 <= bytes.count, let value = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else {
            throw problem("four hexadecimal digits are missing after \\u")
        }
        index += 4
        return value
    }
}
