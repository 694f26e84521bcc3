/// Restores the lines of clients from logs that contain them in another form.
struct TranscriptLines: Sendable {
    typealias Line = UnsafeBufferPointer<UInt8>

    /// The lines of an incomplete result, and the depth of its braces.
    private var open: [String] = []
    private var depth = 0
    private var size = 0
    /// Whether a terminal has wrapped the result, and whether a line ended within one of its strings.
    private var isWrapped = false
    private var isQuoted = false
    /// The lines in a box, which Terraform draws around an error and wraps at the terminal's width.
    private var boxed: [String] = []
    /// Whether the last lines came from a result.
    private(set) var wasResult = false

    /// The largest size of a result in bytes. A longer text is not a result.
    private static let maximumLength = 1 << 20

    /// The lines of a text without outer blanks and without empty lines.
    static func trimmed(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { String($0).trimming(" \t\r") }.filter { !$0.isEmpty }
    }

    /// Calls `body` with all lines of a text, trimmed.
    static func each(of text: String, _ body: (Line) -> Void) {
        var lines = TranscriptLines()
        var text = text
        text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let (end, next) = lineEnd(in: rest)
                let line = Line(rebasing: rest[..<end]).withoutOuterBlanks
                let isAfterBlank = rest.first == 0x20
                if lines.isWhole(line) { body(line) } else { lines.keep(line, isAfterBlank).forEach { give($0, to: body) } }
                rest = rest[next...]
            }
        }
        lines.rest().forEach { give($0, to: body) }
    }

    private static func give(_ line: String, to body: (Line) -> Void) {
        var line = line
        line.withUTF8(body)
    }

    /// The end of a line, and the start of the next. Every line end of Unicode counts.
    private static func lineEnd(in bytes: Slice<Line>) -> (end: Int, next: Int) {
        for index in bytes.startIndex..<bytes.endIndex {
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

    /// Whether nothing is left of the lines so far.
    var isUnused: Bool { !isOpen && size == 0 }

    /// Whether a trimmed line is separate, and not part of a result.
    func isWhole(_ line: Line) -> Bool { open.isEmpty && boxed.isEmpty && !Self.begins(line) && !Self.isBoxed(line) }

    private static let side: StaticString = "│"

    private static func isBoxed(_ line: Line) -> Bool {
        line.count >= side.utf8CodeUnitCount
            && line[..<side.utf8CodeUnitCount].elementsEqual(Line(start: side.utf8Start, count: side.utf8CodeUnitCount))
    }

    /// Reads a line of a box. Returns the paragraph that it ends.
    private mutating func keepBoxed(_ line: Line) -> [String] {
        let text = String(decoding: line.dropFirst(Self.side.utf8CodeUnitCount), as: UTF8.self).trimming(" \t\r│")
        size += line.count
        guard text.isEmpty || size > Self.maximumLength else {
            boxed.append(text)
            return []
        }
        return endBox()
    }

    private mutating func endBox() -> [String] {
        defer { (boxed, size) = ([], 0) }
        return boxed.isEmpty ? [] : [boxed.joined(separator: " ")]
    }

    /// Reads a part of a result. Returns the result's lines when it is complete.
    ///
    /// - Parameter isAfterBlank: whether there was a blank before the line.
    mutating func keep(_ line: Line, _ isAfterBlank: Bool = false) -> [String] {
        wasResult = false
        if open.isEmpty, Self.isBoxed(line) { return keepBoxed(line) }
        if !boxed.isEmpty {
            // A carriage return and a line feed are two line ends.
            if line.isEmpty { return [] }
            let paragraph = endBox()
            if Self.begins(line) { return paragraph + keep(line) }
            return paragraph + [String(decoding: line, as: UTF8.self)]
        }
        // A carriage return and a line feed are two line ends, and a terminal wraps no empty line.
        if line.isEmpty, isWrapped, !open.isEmpty { return [] }
        let text = String(decoding: line, as: UTF8.self)
        if open.isEmpty {
            isWrapped = Self.isCut(line)
        } else if AnsibleMessages.isHeader(text) || AnsibleMessages.beginsSection(text) {
            // The end of the result is missing.
            let lines = rest()
            return lines + (Self.begins(line) ? keep(line) : [text])
        }
        open.append(isWrapped && isAfterBlank && !open.isEmpty ? " " + text : text)
        if !isWrapped { isQuoted = false }
        depth += Self.nesting(line, &isQuoted)
        size += line.count + 1
        return depth > 0 && size < Self.maximumLength ? [] : rest()
    }

    /// Returns the lines of an incomplete result or box.
    mutating func rest() -> [String] {
        guard !open.isEmpty else { return endBox() }
        defer { (open, depth, size, isWrapped, isQuoted) = ([], 0, 0, false, false) }
        let text = whole
        let result = AnsibleResult.lines(text) ?? Self.mended(text).lazy.compactMap(AnsibleResult.lines).first
        wasResult = result != nil
        return result ?? open.filter { !$0.isEmpty }
    }

    /// The text of the lines. A terminal wraps anywhere: all lines except the last are as wide as the terminal. A line that is
    /// one column shorter has lost a blank at its end.
    private var whole: String {
        if !isWrapped { return open.joined(separator: "\n") }
        let width = open.reduce(0) { max($0, $1.count) }
        let others = open.dropLast()
        guard others.allSatisfy({ $0.count >= width - 1 }) else { return open.joined(separator: " ") }
        return others.map { $0.count < width ? $0 + " " : $0 }.joined() + (open.last ?? "")
    }

    /// An object whose end is missing, with its last member, which may be cut, and without it.
    private static func mended(_ text: String) -> [String] {
        guard let start = text.firstPlace(of: "=> {") else { return [] }
        let bytes = Array(text[start.lowerBound...].utf8.dropFirst(3))
        var strings = JSONStrings()
        var (depth, end) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            guard strings.isOutside(byte) else { continue }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 1: end = index
            default: break
            }
        }
        guard depth > 0 else { return [] }
        // A cut string may end within an escape, and an empty line may follow it.
        let isLoose = [UInt8(ascii: "\\"), UInt8(ascii: "\n")].contains
        let last = strings.isQuoted ? bytes.lastIndex { !isLoose($0) }.map { $0 + 1 } ?? 0 : bytes.count
        let cuts = (depth == 1 ? [(last, strings.isQuoted ? "\"}" : "}")] : []) + (end > 0 ? [(end, "}")] : [])
        return cuts.map { text[..<start.lowerBound] + "=> " + String(decoding: bytes[..<$0], as: UTF8.self) + $1 }
    }

    private static let arrow: StaticString = "=> {"

    /// The offset of the object in the header of a result: `fatal: [web1]: UNREACHABLE! => {`, `ok: [web1] => {`.
    private static func object(in line: Line) -> Int? {
        guard let start = line.firstOffset(of: Line(start: arrow.utf8Start, count: arrow.utf8CodeUnitCount)), start > 1 else {
            return nil
        }
        let isHeader =
            line[start - 2] == UInt8(ascii: "!") || AnsibleMessages.isHeader(String(decoding: line[..<start], as: UTF8.self))
        return isHeader ? start + arrow.utf8CodeUnitCount - 1 : nil
    }

    /// Whether the line is the header of a result, or of the one object that the JSON callback writes.
    private static func begins(_ line: Line) -> Bool {
        if line.count == 1 { return line[0] == UInt8(ascii: "{") }
        guard let start = object(in: line) else { return false }
        return start == line.count - 1 || line.last == UInt8(ascii: "}") || isCut(line)
    }

    /// Whether the line is the beginning of a result that was written on one line, and wrapped.
    private static func isCut(_ line: Line) -> Bool {
        guard WrappedLine.lengths.contains(line.count), let start = object(in: line), start < line.count - 1 else { return false }
        var isQuoted = false
        return nesting(Line(rebasing: line[start...]), &isQuoted) > 0
    }

    /// The difference between opening and closing braces in a line, without those in strings.
    private static func nesting(_ line: Line, _ quoted: inout Bool) -> Int {
        var strings = JSONStrings(isQuoted: quoted)
        var depth = 0
        for byte in line where strings.isOutside(byte) {
            depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
        }
        quoted = strings.isQuoted
        return depth
    }
}

/// Distinguishes the strings of JSON from the rest, byte by byte. It does not check the grammar.
private struct JSONStrings {
    private(set) var isQuoted = false
    private var isEscaped = false

    init(isQuoted: Bool = false) { self.isQuoted = isQuoted }

    /// Reads a byte. Returns whether it is outside of strings and no quotation mark.
    mutating func isOutside(_ byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
        } else if isQuoted, byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isQuoted.toggle()
        } else {
            return !isQuoted
        }
        return false
    }
}

/// Splits a line of a log that contains several lines: JSON and Python write a line end as `\n` or `\r\n`, and a quotation mark as
/// `\"`.
enum EscapedLines {
    /// The largest number of lines in one line, and the largest number of times that a text is escaped.
    private static let (maximumLines, maximumDepth) = (256, 4)
    private static let escapes = ["\\n", "\\r", "\\\""]

    /// The lines in a line, trimmed.
    static func split(_ line: String) -> [String] { split(line, 0).flatMap(PastedText.parts) }

    private static func split(_ line: String, _ depth: Int) -> [String] {
        guard depth < maximumDepth, escapes.contains(where: { line.mentions($0) }), !namesDrive(line) else { return [line] }
        let lines = unescaped(line).map { String(decoding: $0, as: UTF8.self).trimming(" \\") }.filter { !$0.isEmpty }
        return lines.flatMap { split($0, depth + 1) }
    }

    private static func unescaped(_ line: String) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var current: [UInt8] = []
        var isEscaped = false
        for byte in line.utf8 {
            guard isEscaped else {
                if byte == UInt8(ascii: "\\") { isEscaped = true } else { current.append(byte) }
                continue
            }
            isEscaped = false
            switch byte {
            case UInt8(ascii: "n") where lines.count < maximumLines, UInt8(ascii: "r") where lines.count < maximumLines:
                lines.append(current)
                current = []
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): current.append(byte)
            default: current += [UInt8(ascii: "\\"), byte]
            }
        }
        return lines + [current]
    }

    /// Whether the line has a Windows path such as `C:\new`, whose backslashes do not begin escapes.
    private static func namesDrive(_ line: String) -> Bool {
        var rest = line[...]
        while let place = rest.firstPlace(of: ":\\") {
            // JSON doubles the backslash.
            let before = line[..<place.lowerBound]
            // The name of a drive is a single letter: `causes are:\n` ends a line.
            if before.last?.isLetter == true, before.dropLast().last?.isLetter != true, line[place.upperBound...].first != "\\" {
                return true
            }
            rest = rest[place.upperBound...]
        }
        return false
    }
}

/// Keeps the last lines of an endless text, in bounded memory.
struct LastLines: Sendable {
    /// The number of bytes of a line to keep.
    static let maximumLength = 4096
    /// Memory for a hundred of the longest lines.
    private static let space = 512 << 10

    /// The lines, each followed by a line feed.
    private var bytes: [UInt8] = []

    mutating func append(_ line: UnsafeBufferPointer<UInt8>) {
        if bytes.count >= 2 * Self.space {
            let start = bytes[(bytes.count - Self.space)...].firstIndex(of: 0x0A) ?? bytes.count - 1
            bytes.removeFirst(start + 1)
        }
        var end = min(line.count, Self.maximumLength)
        // Do not cut within a character (RFC 3629 section 3).
        while end < line.count, end > 0, line[end] & 0xC0 == 0x80 { end -= 1 }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: line[..<end]))
        bytes.append(0x0A)
    }

    /// The last lines, at most this many, in order.
    func last(_ count: Int) -> [String] {
        var lines: [String] = []
        var end = bytes.count - 1
        while end >= 0, lines.count < count {
            let start = (bytes[..<end].lastIndex(of: 0x0A) ?? -1) + 1
            lines.append(String(decoding: bytes[start..<end], as: UTF8.self))
            end = start - 1
        }
        return lines.reversed()
    }
}
