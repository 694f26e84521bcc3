import ErrorCore

/// Prints a group of hosts with its output, for `fold` and `diff`.
struct GroupPrinter: Sendable {
    let form: OutputForm
    let store: OutputStore
    let folded: @Sendable ([String]) -> String

    /// `── web[1-4] (4) · ok`, and what is to be known of the output.
    func heading(_ group: OutputGroups.Group, _ more: [String] = [], on stream: SSHEvidence.OutputStream) -> String {
        let parts = ["\(VisibleText.names(folded(group.hosts))) (\(group.hosts.count))", group.ending.text] + more
        let text = form.own("── " + parts.joined(separator: " · "))
        return form.painted(text, group.ending.outcome == .ok ? 1 : HostColor.failure, on: stream) + "\n"
    }

    /// What of the outputs is not shown.
    func omissions(_ group: OutputGroups.Group) -> [String] {
        let streams = [("", group.output), ("standard error: ", group.error)]
        let cut = streams.filter { $0.1.total > $0.1.kept.count }.map { name, stream in
            "\(name)first \(Amounts.bytes(stream.kept.count)) of \(Amounts.bytes(stream.total))"
        }
        return group.isEmpty ? ["no output"] : cut
    }

    /// The whole group: heading, standard output, standard error.
    func whole(_ group: OutputGroups.Group, _ pieces: inout [RenderedPiece]) {
        let facts = omissions(group)
        pieces.append(RenderedPiece(.standardOutput, heading(group, facts, on: .standardOutput)))
        if group.output.total > 0 { pieces.append(text(group.output, .standardOutput)) }
        guard group.error.total > 0 else { return }
        if !form.isShared { pieces.append(RenderedPiece(.standardError, heading(group, facts, on: .standardError))) }
        pieces.append(text(group.error, .standardError))
    }

    private func text(_ stream: OutputGroups.Stream, _ destination: SSHEvidence.OutputStream) -> RenderedPiece {
        RenderedPiece(destination) { [form, store] in
            let bytes = try store.bytes(of: stream.kept)
            guard form.isTerminal(destination) else {
                return bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
            }
            var shown: [UInt8] = []
            var lines = LineAssembler()
            func put(_ line: LineAssembler.Line) {
                shown += VisibleText.line(line.bytes.last == UInt8(ascii: "\r") ? line.bytes.dropLast() : line.bytes).utf8
                shown.append(UInt8(ascii: "\n"))
            }
            lines.take(bytes, put)
            lines.end(put)
            return shown
        }
    }
}
