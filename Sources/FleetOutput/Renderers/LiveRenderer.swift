package import BridgeSSHFleet

/// Prints output line by line as it arrives, each line with its host: `host: line`. A line that was cut continues as `host+
/// line`.
package struct LiveRenderer: FleetRenderer {
    private struct Source: Hashable {
        let host: String
        let stream: SSHEvidence.OutputStream
    }

    /// The most bytes of unfinished lines of all hosts together.
    private static let space = 4 << 20

    private let form: OutputForm
    private var lines: [Source: LineAssembler] = [:]
    private var unfinishedBytes = 0

    package let needsPieces = true

    package init(_ form: OutputForm) { self.form = form }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        switch event {
        case .output(let host, let stream, let bytes):
            let source = Source(host: host, stream: stream)
            show(source, &pieces) { assembler, space, put in assembler.take(bytes, space: space, put) }
        case .ended(let result):
            for stream in SSHEvidence.OutputStream.allCases {
                let source = Source(host: result.host, stream: stream)
                guard lines[source] != nil else { continue }
                show(source, &pieces) { assembler, _, put in assembler.end(put) }
                lines[source] = nil
            }
        default: break
        }
    }

    private mutating func show(
        _ source: Source, _ pieces: inout [RenderedPiece],
        _ body: (inout LineAssembler, Int, (LineAssembler.Line) -> Void) -> Void
    ) {
        var shown: [UInt8] = []
        var assembler = lines.removeValue(forKey: source) ?? LineAssembler()
        unfinishedBytes -= assembler.unfinishedBytes.count
        body(&assembler, max(0, Self.space - unfinishedBytes)) { append($0, of: source, to: &shown) }
        unfinishedBytes += assembler.unfinishedBytes.count
        lines[source] = assembler
        if !shown.isEmpty { pieces.append(RenderedPiece(source.stream, shown)) }
    }

    private func append(_ line: LineAssembler.Line, of source: Source, to shown: inout [UInt8]) {
        let label = VisibleText.name(source.host) + (line.isContinuation ? "+" : ":")
        shown += form.painted(label, HostColor.of(source.host), on: source.stream).utf8
        shown.append(UInt8(ascii: " "))
        if form.isTerminal(source.stream) {
            let bytes = line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes
            shown += VisibleText.line(bytes).utf8
        } else {
            shown += line.bytes
        }
        shown.append(UInt8(ascii: "\n"))
    }
}

/// The colour of a host's name on a terminal; the same in every run.
enum HostColor {
    /// ECMA-48 foreground colours that are readable on black and on white. Red is reserved for failures.
    private static let palette = [32, 33, 34, 35, 36, 92, 94, 95, 96]

    static func of(_ host: String) -> Int {
        // FNV-1a, because Swift's own hash differs between processes.
        let hash = host.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return palette[Int(hash >> 16) % palette.count]
    }

    static let failure = 31
    static let quiet = 2
}

/// Assembles lines from the pieces of a stream. A line that does not end is cut, which bounds memory.
struct LineAssembler {
    /// The longest part of a line that is passed on at once, in bytes.
    static let maximumLength = 8192

    /// A line, or a part of one.
    struct Line: Equatable {
        /// The bytes without the line feed.
        var bytes: ArraySlice<UInt8>
        /// Whether it continues a line that was cut.
        var isContinuation = false
    }

    /// The start of an unfinished line.
    private(set) var unfinishedBytes: [UInt8] = []
    private var isCut = false

    /// Adds the next piece.
    ///
    /// - Parameter space: how many bytes may be held afterwards.
    mutating func take(_ piece: [UInt8], space: Int = maximumLength, _ put: (Line) -> Void) {
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            give(rest[..<end], endsLine: true, put)
            rest = rest[(end + 1)...]
        }
        guard !rest.isEmpty else { return }
        if unfinishedBytes.count + rest.count <= min(space, Self.maximumLength) {
            unfinishedBytes += rest
        } else {
            give(rest, endsLine: false, put)
        }
    }

    /// Ends the stream, whose last line may lack a line feed.
    mutating func end(_ put: (Line) -> Void) {
        if !unfinishedBytes.isEmpty { give([], endsLine: true, put) }
        isCut = false
    }

    private mutating func give(_ rest: ArraySlice<UInt8>, endsLine: Bool, _ put: (Line) -> Void) {
        var line = unfinishedBytes.isEmpty ? rest : (unfinishedBytes + rest)[...]
        unfinishedBytes = []
        while line.count > Self.maximumLength {
            let cut = line.startIndex + Self.maximumLength
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
            unfinishedBytes = Array(line[end...])
        }
    }
}

extension ArraySlice<UInt8> {
    /// Where the last complete UTF-8 character ends: before the start of an incomplete one, or at the end of the slice.
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
