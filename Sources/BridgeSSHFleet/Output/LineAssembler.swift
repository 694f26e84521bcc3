/// Makes lines of the pieces in which a stream comes. A line that does not end is cut, so that memory stays bounded.
struct LineAssembler {
    /// The longest part of a line that is shown at once, in bytes.
    static let longest = 8192

    /// A line, or a part of one.
    struct Line: Equatable {
        /// Without the line feed.
        var bytes: ArraySlice<UInt8>
        /// Whether it goes on a line that was cut.
        var isContinuation = false
    }

    /// The begin of a line whose end has not come.
    private(set) var held: [UInt8] = []
    private var isCut = false

    /// Takes the next piece.
    ///
    /// - Parameter room: how many bytes may be held afterwards.
    mutating func take(_ piece: [UInt8], room: Int = longest, _ put: (Line) -> Void) {
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            give(rest[..<end], endsLine: true, put)
            rest = rest[(end + 1)...]
        }
        guard !rest.isEmpty else { return }
        if held.count + rest.count <= min(room, Self.longest) {
            held += rest
        } else {
            give(rest, endsLine: false, put)
        }
    }

    /// The stream has ended: its last line may lack a line feed.
    mutating func end(_ put: (Line) -> Void) {
        if !held.isEmpty { give([], endsLine: true, put) }
        isCut = false
    }

    private mutating func give(_ rest: ArraySlice<UInt8>, endsLine: Bool, _ put: (Line) -> Void) {
        var line = held.isEmpty ? rest : (held + rest)[...]
        held = []
        while line.count > Self.longest {
            let cut = line.startIndex + Self.longest
            let part = line[..<cut]
            let end = part.endOfCharacters
            put(Line(bytes: line[..<end], isContinuation: isCut))
            line = line[end...]
            isCut = true
        }
        if endsLine {
            put(Line(bytes: line, isContinuation: isCut))
            isCut = false
        } else {
            let end = line.endOfCharacters
            if end > line.startIndex {
                put(Line(bytes: line[..<end], isContinuation: isCut))
                isCut = true
            }
            held = Array(line[end...])
        }
    }
}

extension ArraySlice<UInt8> {
    /// Where the last whole UTF-8 character ends: before the begin of one that lacks bytes. The end of the slice where there is none.
    var endOfCharacters: Int {
        var index = endIndex
        for _ in 0..<4 where index > startIndex {
            index -= 1
            let byte = self[index]
            if byte & 0xC0 == 0x80 { continue }
            let length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF8 ? 4 : 1
            return index + length > endIndex && index > startIndex ? index : endIndex
        }
        return endIndex
    }
}
