/// Lines as clients wrote them, out of logs that carry them in another form.
struct TranscriptLines: Sendable {
    typealias Line = UnsafeBufferPointer<UInt8>

    /// The lines of a result that spans several, and how deep its braces are nested.
    private var open: [String] = []
    private var depth = 0
    private var size = 0
    /// The lines of a box that Terraform draws around an error, which it wraps at the terminal's width.
    private var boxed: [String] = []
    /// Whether the lines that were given last were a result's.
    private(set) var wasResult = false

    /// How many bytes a result may have: more is no result.
    private static let longest = 1 << 20

    /// Gives all lines of a text without the blanks around them.
    static func each(of text: String, _ body: (Line) -> Void) {
        var lines = TranscriptLines()
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let (end, next) = lineEnd(in: rest)
                let line = Line(rebasing: rest[..<end]).withoutOuterBlanks
                if lines.isWhole(line) { body(line) } else { lines.keep(line).forEach { give($0, to: body) } }
                rest = rest[next...]
            }
        }
        lines.rest().forEach { give($0, to: body) }
    }

    private static func give(_ line: String, to body: (Line) -> Void) {
        var line = line
        line.withUTF8(body)
    }

    /// Where a line ends, and where the next begins: at any character that is a line's end in Unicode.
    private static func lineEnd(in bytes: Slice<Line>) -> (end: Int, next: Int) {
        for index in bytes.indices {
            switch bytes[index] {
            case 0x0A...0x0D: return (index, index + 1)
            case 0xC2 where bytes[index...].starts(with: [0xC2, 0x85]): return (index, index + 2)
            case 0xE2 where bytes[index...].starts(with: [0xE2, 0x80, 0xA8]): return (index, index + 3)
            case 0xE2 where bytes[index...].starts(with: [0xE2, 0x80, 0xA9]): return (index, index + 3)
            default: break
            }
        }
        return (bytes.endIndex, bytes.endIndex)
    }

    /// Whether a result has begun and not ended.
    var isOpen: Bool { !open.isEmpty || !boxed.isEmpty }

    /// Whether a line without blanks around it is one by itself, and not part of a result.
    func isWhole(_ line: Line) -> Bool { open.isEmpty && boxed.isEmpty && !Self.begins(line) && !Self.isBoxed(line) }

    private static let side: StaticString = "│"

    private static func isBoxed(_ line: Line) -> Bool {
        line.count >= side.utf8CodeUnitCount
            && line[..<side.utf8CodeUnitCount].elementsEqual(Line(start: side.utf8Start, count: side.utf8CodeUnitCount))
    }

    /// A line of a box; gives the paragraph that ends with it.
    private mutating func keepBoxed(_ line: Line) -> [String] {
        let text = String(decoding: line.dropFirst(Self.side.utf8CodeUnitCount), as: UTF8.self).trimming(" \t\r│")
        size += line.count
        guard text.isEmpty || size > Self.longest else {
            boxed.append(text)
            return []
        }
        return endBox()
    }

    private mutating func endBox() -> [String] {
        defer { (boxed, size) = ([], 0) }
        return boxed.isEmpty ? [] : [boxed.joined(separator: " ")]
    }

    /// Takes a part of a result; gives what the result says once it is complete.
    mutating func keep(_ line: Line) -> [String] {
        wasResult = false
        if open.isEmpty, Self.isBoxed(line) { return keepBoxed(line) }
        if !boxed.isEmpty {
            let paragraph = endBox()
            if Self.begins(line) { return paragraph + keep(line) }
            return paragraph + [String(decoding: line, as: UTF8.self)]
        }
        open.append(String(decoding: line, as: UTF8.self))
        depth += Self.nesting(line)
        size += line.count + 1
        return depth > 0 && size < Self.longest ? [] : rest()
    }

    /// What was kept back.
    mutating func rest() -> [String] {
        guard !open.isEmpty else { return endBox() }
        defer { (open, depth, size) = ([], 0, 0) }
        let result = AnsibleResult.lines(open.joined(separator: "\n"))
        wasResult = result != nil
        return result ?? open.filter { !$0.isEmpty }
    }

    /// `… UNREACHABLE! => {`, `… FAILED! => {`, or the one object that the JSON callback writes.
    private static func begins(_ line: Line) -> Bool {
        guard let last = line.last, last == UInt8(ascii: "{") || last == UInt8(ascii: "}") else { return false }
        let opening: StaticString = "! => {"
        let words = Line(start: opening.utf8Start, count: opening.utf8CodeUnitCount)
        if last == UInt8(ascii: "}") { return line.firstOffset(of: words) != nil }
        return line.count == 1 || line.suffix(words.count).elementsEqual(words)
    }

    /// How many braces a line opens more than it closes, those in strings apart.
    private static func nesting(_ line: Line) -> Int {
        var depth = 0
        var quoted = false
        var escaped = false
        for byte in line {
            if escaped {
                escaped = false
            } else if quoted, byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if !quoted {
                depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
            }
        }
        return depth
    }
}
