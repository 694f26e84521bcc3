/// Output line by line as it comes, each under its host: `host: line`. A line that was cut goes on as `host+ line`.
package struct LiveRenderer: FleetRenderer {
    private struct Source: Hashable {
        let host: String
        let stream: SSHEvidence.OutputStream
    }

    /// The most bytes of unfinished lines that all hosts hold together.
    private static let room = 4 << 20

    private let form: OutputForm
    private var lines: [Source: LineAssembler] = [:]
    private var held = 0

    package let needsPieces = true

    package init(_ form: OutputForm) { self.form = form }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) {
        switch event {
        case .output(let host, let stream, let bytes):
            let source = Source(host: host, stream: stream)
            show(source, &pieces) { assembler, room, put in assembler.take(bytes, room: room, put) }
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
        held -= assembler.held.count
        body(&assembler, max(0, Self.room - held)) { append($0, of: source, to: &shown) }
        held += assembler.held.count
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
