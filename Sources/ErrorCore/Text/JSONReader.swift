/// A part of a JSON text (RFC 8259 section 3). The values in it are nodes of the caller's type.
package enum JSONPart<Node> {
    /// The members in the order of the text. A name may be repeated.
    case object([(name: String, line: Int, value: Node)])
    case array([Node])
    case string(String)
    /// A number as it is written. `NaN`, `Infinity` and `-Infinity`, which Python writes, are numbers too.
    case number(String)
    case boolean(Bool)
    case null
}

/// A type whose values are made of JSON.
package protocol JSONNode {
    /// - Parameter line: The line on which the part begins. The first line is 1.
    init(_ part: JSONPart<Self>, line: Int)
}

/// The reason why a text is not JSON.
package struct JSONProblem: Error {
    /// The end of a sentence: `a quote is not closed`. It may quote the text.
    package let reason: String
    /// The first line is 1.
    package let line: Int
}

/// Reads JSON of any program in one pass. `JSONDecoder` tries one type after the other for each value, which takes microseconds,
/// and knows no lines.
package struct JSONReader<Node: JSONNode> {
    /// How deep values may be nested.
    private static var maximumDepth: Int { 256 }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let isLenient: Bool
    private var offset = 0
    private var line = 1
    private var depth = 0

    /// The value of a text.
    ///
    /// - Parameter isLenient: Whether a comma may follow the last member or element, as in Foundation, and half of a surrogate pair
    ///   becomes U+FFFD.
    /// - Throws: If the text is not JSON, or nested more than 256 levels deep.
    package static func read(_ text: some StringProtocol, isLenient: Bool) throws(JSONProblem) -> Node {
        var text = String(text)
        let result = text.withUTF8 { bytes -> Result<Node, JSONProblem> in
            var reader = JSONReader(bytes: bytes, isLenient: isLenient)
            do throws(JSONProblem) {
                return .success(try reader.whole())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, isLenient: Bool) {
        self.bytes = bytes
        self.isLenient = isLenient
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private func problem(_ reason: String) -> JSONProblem { JSONProblem(reason: reason, line: line) }

    private mutating func whole() throws(JSONProblem) -> Node {
        let node = try value()
        skipBlanks()
        if next != nil { throw problem("something follows the value") }
        return node
    }

    private mutating func skipBlanks() {
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: " "): break
            default: return
            }
            offset += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value() throws(JSONProblem) -> Node {
        skipBlanks()
        guard let first = next else { throw problem("it ends before a value") }
        guard depth < Self.maximumDepth else { throw problem("values are nested more than \(Self.maximumDepth) deep") }
        depth += 1
        defer { depth -= 1 }
        let start = line
        switch first {
        case UInt8(ascii: "{"): return Node(.object(try members()), line: start)
        case UInt8(ascii: "["): return Node(.array(try elements()), line: start)
        case UInt8(ascii: "\""): return Node(.string(try string()), line: start)
        default: return Node(try word(), line: start)
        }
    }

    private mutating func members() throws(JSONProblem) -> [(name: String, line: Int, value: Node)] {
        var members: [(name: String, line: Int, value: Node)] = []
        offset += 1
        repeat {
            skipBlanks()
            if members.isEmpty || isLenient, take(UInt8(ascii: "}")) { return members }
            guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes is missing") }
            let start = line
            let name = try string()
            skipBlanks()
            guard take(UInt8(ascii: ":")) else { throw problem("a colon is missing after a name") }
            members.append((name, start, try value()))
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw problem("a comma or } is missing") }
        return members
    }

    private mutating func elements() throws(JSONProblem) -> [Node] {
        var elements: [Node] = []
        offset += 1
        repeat {
            skipBlanks()
            if elements.isEmpty || isLenient, take(UInt8(ascii: "]")) { return elements }
            elements.append(try value())
            skipBlanks()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw problem("a comma or ] is missing") }
        return elements
    }

    private mutating func word() throws(JSONProblem) -> JSONPart<Node> {
        let start = offset
        while let byte = next, !Self.endsWord(byte) { offset += 1 }
        let word = bytes[start..<offset]
        let text = String(decoding: word, as: UTF8.self)
        switch text {
        case "true", "false": return .boolean(text == "true")
        case "null": return .null
        case "NaN", "Infinity", "-Infinity": return .number(text)
        default:
            guard Self.isNumber(word) else {
                throw problem(text.isEmpty ? "a value is missing" : "\(text) is not a value")
            }
            return .number(text)
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"),
            UInt8(ascii: "\""), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            true
        default: false
        }
    }

    /// Whether the bytes are a number by RFC 8259 section 6.
    private static func isNumber(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        var rest = word.first == UInt8(ascii: "-") ? word.dropFirst() : word
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

    private mutating func string() throws(JSONProblem) -> String {
        offset += 1
        var content: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                offset += 1
                try takeEscape(into: &content)
            case 0..<0x20: throw problem("a string contains a control character")
            default:
                offset += 1
                content.append(byte)
            }
        }
        throw problem("a quote is not closed")
    }

    private mutating func takeEscape(into content: inout [UInt8]) throws(JSONProblem) {
        guard let byte = next else { throw problem("a quote is not closed") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content += String(Character(try takeScalar())).utf8
        default: throw problem("an escape sequence is invalid")
        }
    }

    /// Reads the digits after `\u`, and a second escape if the first is half of a surrogate pair (section 7).
    private mutating func takeScalar() throws(JSONProblem) -> Unicode.Scalar {
        let unit = try takeUnit()
        let afterFirst = offset
        if (0xD800..<0xDC00).contains(unit), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
            let low = try takeUnit()
            if (0xDC00..<0xE000).contains(low), let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) {
                return scalar
            }
        }
        offset = afterFirst
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard isLenient else { throw problem("a string has half of a surrogate pair") }
        return "\u{FFFD}"
    }

    private mutating func takeUnit() throws(JSONProblem) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw problem("four hexadecimal digits are missing after \\u")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }
}
