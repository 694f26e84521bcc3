/// At the end, the most common output whole, and every other as its difference from that one.
package struct DiffRenderer: FleetRenderer {
    private let printer: GroupPrinter
    private var groups: OutputGroups
    private let budget = LineDifference.Budget()

    package let needsPieces = false

    /// - Parameter folded: makes one expression of names.
    package init(_ form: OutputForm, _ store: OutputStore, folded: @escaping @Sendable ([String]) -> String) {
        printer = GroupPrinter(form: form, store: store, folded: folded)
        groups = OutputGroups(store)
    }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws {
        switch event {
        case .ended(let result): try groups.add(result)
        case .summary:
            let sorted = groups.sorted
            guard let common = sorted.first else { return }
            printer.whole(common, &pieces)
            for group in sorted.dropFirst() { compare(group, common, &pieces) }
        default: break
        }
    }

    private func compare(_ group: OutputGroups.Group, _ common: OutputGroups.Group, _ pieces: inout [RenderedPiece]) {
        pieces.append(RenderedPiece(.standardOutput) { [self] in try difference(group, common, \.output, .standardOutput) })
        let isSilent = group.error.total == 0 && common.error.total == 0
        if !isSilent {
            pieces.append(RenderedPiece(.standardError) { [self] in try difference(group, common, \.error, .standardError) })
        }
    }

    /// Heading and hunks of one stream. The heading stands once where both streams lead to the same place.
    private func difference(
        _ group: OutputGroups.Group, _ common: OutputGroups.Group, _ part: KeyPath<OutputGroups.Group, OutputGroups.Stream>,
        _ stream: SSHEvidence.OutputStream
    ) throws -> [UInt8] {
        let (old, new) = (common[keyPath: part], group[keyPath: part])
        let bytes = try printer.store.bytes(of: new.kept)
        let found = LineDifference(from: try printer.store.bytes(of: old.kept), to: bytes, budget: budget)
        let isFirst = stream == .standardOutput
        var facts = isFirst ? printer.omissions(group) : []
        switch found {
        case nil: facts.append("differs too much, whole")
        case let difference? where difference.edits == 0: facts.append(old.total == new.total ? "same" : "same beginning")
        case let difference?: facts.append(difference.lines == 1 ? "1 line differs" : "\(difference.lines) lines differ")
        }
        if !isFirst { facts = facts.map { "standard error: " + $0 } }
        var shown = Array(printer.heading(group, facts, on: stream).utf8)
        var lines = LineAssembler()
        func put(_ line: LineAssembler.Line) {
            if printer.form.isTerminal(stream) {
                shown += printer.changed(line, found != nil, on: stream).utf8
            } else {
                shown += line.bytes
            }
            shown.append(UInt8(ascii: "\n"))
        }
        lines.take(found?.text ?? bytes, put)
        lines.end(put)
        return shown
    }
}

extension GroupPrinter {
    /// A line of a difference, in the colours that diff and git use.
    func changed(_ line: LineAssembler.Line, _ isDifference: Bool, on stream: SSHEvidence.OutputStream) -> String {
        let text = VisibleText.line(line.bytes)
        guard isDifference, !line.isContinuation else { return text }
        switch line.bytes.first {
        case UInt8(ascii: "+"): return form.painted(text, 32, on: stream)
        case UInt8(ascii: "-"): return form.painted(text, 31, on: stream)
        case UInt8(ascii: "@"): return form.painted(text, 36, on: stream)
        default: return text
        }
    }
}
