/// JSON (RFC 8259) of any program, read in one pass.
///
/// `JSONDecoder` finds the type of a value by trying one type after the other, which takes microseconds per value.
enum JSONTree: Sendable {
    case members([String: JSONTree])
    case elements([JSONTree])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    /// Returns nil if the text is not JSON, or is nested more than 256 levels deep.
    init?(_ text: Substring) {
        var text = String(text)
        let tree = text.withUTF8 { bytes in
            var reader = JSONTreeReader(bytes)
            return reader.whole()
        }
        guard let tree else { return nil }
        self = tree
    }
}

/// The state of reading one text.
private struct JSONTreeReader {
    private static let deepest = 256

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func whole() -> JSONTree? {
        guard let tree = value() else { return nil }
        skipBlanks()
        return offset == bytes.count ? tree : nil
    }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard next == byte else { return false }
        offset += 1
        return true
    }

    private mutating func value() -> JSONTree? {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return nested { $0.members() }
        case UInt8(ascii: "["): return nested { $0.elements() }
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "t"): return word("true", .flag(true))
        case UInt8(ascii: "f"): return word("false", .flag(false))
        case UInt8(ascii: "n"): return word("null", .null)
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout Self) -> JSONTree?) -> JSONTree? {
        guard depth < Self.deepest else { return nil }
        depth += 1
        defer { depth -= 1 }
        offset += 1
        return read(&self)
    }

    private mutating func members() -> JSONTree? {
        var members: [String: JSONTree] = [:]
        if skip(UInt8(ascii: "}")) { return .members(members) }
        repeat {
            skipBlanks()
            // A comma after the last member is accepted, as in Foundation.
            if next == UInt8(ascii: "}") { break }
            guard next == UInt8(ascii: "\""), let name = text(), skip(UInt8(ascii: ":")), let value = value() else { return nil }
            // Of two members with the same name the first counts, as in Foundation.
            members[name] = members[name] ?? value
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "}")) ? .members(members) : nil
    }

    private mutating func elements() -> JSONTree? {
        var elements: [JSONTree] = []
        if skip(UInt8(ascii: "]")) { return .elements(elements) }
        repeat {
            skipBlanks()
            if next == UInt8(ascii: "]") { break }
            guard let value = value() else { return nil }
            elements.append(value)
        } while skip(UInt8(ascii: ","))
        return skip(UInt8(ascii: "]")) ? .elements(elements) : nil
    }

    private mutating func word(_ word: StaticString, _ tree: JSONTree) -> JSONTree? {
        let count = word.utf8CodeUnitCount
        guard bytes.count - offset >= count,
            bytes[offset..<offset + count].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count))
        else { return nil }
        offset += count
        return tree
    }

    private mutating func number() -> JSONTree? {
        let start = offset
        while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { offset += 1 }
        // Every JSON number is valid for Swift's `Double`. Swift also accepts a leading plus sign or point, which JSON does
        // not.
        guard start < offset, bytes[start] == UInt8(ascii: "-") || (0x30...0x39).contains(bytes[start]) else { return nil }
        return Double(String(decoding: bytes[start..<offset], as: UTF8.self)).map { .number($0) }
    }

    private mutating func text() -> String? {
        offset += 1
        var content: [UInt8] = []
        while let byte = next {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"): guard takeEscape(into: &content) else { return nil }
            case 0..<0x20: return nil
            default: content.append(byte)
            }
        }
        return nil
    }

    private mutating func takeEscape(into content: inout [UInt8]) -> Bool {
        guard let byte = next else { return false }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = takeScalar() else { return false }
            content += String(Character(scalar)).utf8
        default: return false
        }
        return true
    }

    /// Reads the digits after `\u`, and a second escape if the first is half of a surrogate pair (section 7).
    private mutating func takeScalar() -> Unicode.Scalar? {
        guard let unit = takeUnit() else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        let behind = offset
        if next == UInt8(ascii: "\\") {
            offset += 1
            if next == UInt8(ascii: "u") {
                offset += 1
                guard let low = takeUnit() else { return nil }
                if (0xDC00..<0xE000).contains(low) {
                    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
                }
            }
        }
        offset = behind
        return "\u{FFFD}"
    }

    private mutating func takeUnit() -> UInt32? {
        guard bytes.count - offset >= 4 else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        offset += 4
        return unit
    }
}

/// The texts of a JSON object at the end of a line, as programs write it: `{"level":"error","msg":"ssh: handshake failed: EOF"}`.
enum JSONTexts {
    private static let maximumTexts = 64
    private static let maximumLength = 64 << 10

    /// The lines of the object's texts, in the order of their names. None if the line does not end with an object.
    static func lines(in line: String) -> [String] {
        guard line.utf8.last == UInt8(ascii: "}"), line.utf8.count <= maximumLength, let open = line.firstPlace(of: "{"),
            let tree = JSONTree(line[open.lowerBound...])
        else { return [] }
        var texts: [String] = []
        collect(tree, &texts)
        return texts.flatMap(TranscriptLines.trimmed)
    }

    private static func collect(_ tree: JSONTree, _ texts: inout [String]) {
        guard texts.count < maximumTexts else { return }
        switch tree {
        case .text(let text): texts.append(text)
        case .members(let members): for (_, value) in members.sorted(by: { $0.key < $1.key }) { collect(value, &texts) }
        case .elements(let elements): for value in elements { collect(value, &texts) }
        case .number, .flag, .null: break
        }
    }
}
