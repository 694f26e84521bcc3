import BridgeSSHFleet
import Synchronization

/// The difference of two texts by lines, at a bounded cost. Applies Myers' greedy algorithm ("An O(ND) Difference Algorithm and
/// Its Variations", 1986) between the common start and the common end, and gives up if it would take too long.
struct LineDifference {
    /// The most lines that may differ; beyond that the texts count as too different.
    static let maximumEdits = 500
    /// The most lines that are compared, without those of the common start and end.
    private static let maximumLines = 40_000
    /// The most steps for one pair of texts.
    private static let steps = 2_000_000
    private static let context = 3

    /// The steps left for all pairs of a run.
    final class Budget: Sendable {
        private let remaining: Mutex<Int>

        init(_ steps: Int = 200_000_000) { remaining = Mutex(steps) }

        fileprivate var available: Int { remaining.withLock { $0 } }

        fileprivate func use(_ steps: Int) { remaining.withLock { $0 -= steps } }
    }

    private enum Edit {
        case keep
        case remove
        case insert
    }

    /// The number of lines that exist in only one of the texts.
    let edits: Int
    /// The number of lines that differ. A changed line counts once, though each text has its own version.
    let lines: Int
    /// The hunks in the format of `diff -u`.
    let text: [UInt8]

    /// - Returns: nil if the texts differ too much.
    init?(from old: [UInt8], to new: [UInt8], budget: Budget = Budget()) {
        let (oldLines, newLines) = (Self.lines(old), Self.lines(new))
        var head = 0
        while head < min(oldLines.count, newLines.count), old[oldLines[head]] == new[newLines[head]] { head += 1 }
        var tail = 0
        while tail < min(oldLines.count, newLines.count) - head,
            old[oldLines[oldLines.count - 1 - tail]] == new[newLines[newLines.count - 1 - tail]]
        {
            tail += 1
        }
        let oldMiddle = oldLines[head..<(oldLines.count - tail)]
        let newMiddle = newLines[head..<(newLines.count - tail)]
        guard oldMiddle.count + newMiddle.count <= Self.maximumLines else { return nil }
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        func number(_ line: ArraySlice<UInt8>) -> Int {
            let next = numbers.count
            return numbers[line]
                ?? {
                    numbers[line] = next; return next
                }()
        }
        let one = oldMiddle.map { number(old[$0]) }
        let other = newMiddle.map { number(new[$0]) }
        guard let middle = Self.script(one, other, budget) else { return nil }
        let script = Array(repeating: Edit.keep, count: head) + middle + Array(repeating: Edit.keep, count: tail)
        edits = middle.count { $0 != .keep }
        lines = middle.split(separator: .keep).reduce(0) { sum, change in
            let removed = change.count { $0 == .remove }
            return sum + max(removed, change.count - removed)
        }
        text = Self.hunks(script, (old, oldLines), (new, newLines))
    }

    /// The ranges of the lines, including their line feeds.
    private static func lines(_ text: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
            lines.append(start..<(index + 1))
            start = index + 1
        }
        if start < text.count { lines.append(start..<text.count) }
        return lines
    }

    private static func script(_ old: [Int], _ new: [Int], _ budget: Budget) -> [Edit]? {
        if old.isEmpty { return new.count <= maximumEdits ? Array(repeating: .insert, count: new.count) : nil }
        if new.isEmpty { return old.count <= maximumEdits ? Array(repeating: .remove, count: old.count) : nil }
        let most = min(maximumEdits, old.count + new.count)
        let offset = most + 1
        var furthest = [Int](repeating: 0, count: 2 * most + 3)
        var trace: [ArraySlice<Int>] = []
        var left = min(steps, budget.available)
        let granted = left
        defer { budget.use(granted - left) }
        for depth in 0...most {
            trace.append(furthest[(offset - depth - 1)...(offset + depth + 1)])
            for diagonal in stride(from: -depth, through: depth, by: 2) {
                let goesDown =
                    diagonal == -depth
                    || diagonal != depth && furthest[offset + diagonal - 1] < furthest[offset + diagonal + 1]
                var x = goesDown ? furthest[offset + diagonal + 1] : furthest[offset + diagonal - 1] + 1
                var y = x - diagonal
                let start = x
                while x < old.count, y < new.count, old[x] == new[y] { (x, y) = (x + 1, y + 1) }
                left -= x - start + 1
                guard left > 0 else { return nil }
                furthest[offset + diagonal] = x
                if x >= old.count, y >= new.count { return walk(back: trace, offset, old.count, new.count) }
            }
        }
        return nil
    }

    private static func walk(back trace: [ArraySlice<Int>], _ offset: Int, _ oldCount: Int, _ newCount: Int) -> [Edit] {
        var edits: [Edit] = []
        var (x, y) = (oldCount, newCount)
        for depth in stride(from: trace.count - 1, through: 0, by: -1) {
            let furthest = trace[depth]
            let diagonal = x - y
            let goesDown =
                diagonal == -depth || diagonal != depth && furthest[offset + diagonal - 1] < furthest[offset + diagonal + 1]
            let from = goesDown ? diagonal + 1 : diagonal - 1
            let startX = depth == 0 ? 0 : furthest[offset + from]
            let startY = depth == 0 ? 0 : startX - from
            let (afterX, afterY) = depth == 0 ? (0, 0) : goesDown ? (startX, startY + 1) : (startX + 1, startY)
            while x > afterX, y > afterY {
                edits.append(.keep)
                (x, y) = (x - 1, y - 1)
            }
            if depth > 0 { edits.append(goesDown ? .insert : .remove) }
            (x, y) = (startX, startY)
        }
        return edits.reversed()
    }

    private static func hunks(
        _ script: [Edit], _ old: (text: [UInt8], lines: [Range<Int>]), _ new: (text: [UInt8], lines: [Range<Int>])
    ) -> [UInt8] {
        var output: [UInt8] = []
        let changes = script.indices.filter { script[$0] != .keep }
        var next = 0
        var position = 0
        var (oldLine, newLine) = (0, 0)
        while next < changes.count {
            var last = next
            while last + 1 < changes.count, changes[last + 1] - changes[last] <= 2 * context { last += 1 }
            let range = max(0, changes[next] - context)..<min(script.count, changes[last] + context + 1)
            while position < range.lowerBound { (position, oldLine, newLine) = (position + 1, oldLine + 1, newLine + 1) }
            let part = script[range]
            let (removed, inserted) = (part.count { $0 != .insert }, part.count { $0 != .remove })
            output += "@@ -\(span(oldLine, removed)) +\(span(newLine, inserted)) @@\n".utf8
            for edit in part {
                let isInserted = edit == .insert
                let line = isInserted ? new.text[new.lines[newLine]] : old.text[old.lines[oldLine]]
                output.append(edit == .keep ? UInt8(ascii: " ") : UInt8(ascii: isInserted ? "+" : "-"))
                output += line
                if line.last != UInt8(ascii: "\n") { output += "\n\\ No newline at end of output\n".utf8 }
                if edit != .insert { oldLine += 1 }
                if edit != .remove { newLine += 1 }
            }
            position = range.upperBound
            next = last + 1
        }
        return output
    }

    /// `3,2`; an empty span names the line before it.
    private static func span(_ line: Int, _ count: Int) -> String {
        count == 1 ? "\(line + 1)" : "\(count == 0 ? line : line + 1),\(count)"
    }
}

extension GroupPrinter {
    /// The group as its difference from the most common one.
    func compare(
        _ group: OutputGroups.Group, _ common: OutputGroups.Group, _ budget: LineDifference.Budget,
        _ pieces: inout [RenderedPiece]
    ) {
        pieces.append(RenderedPiece(.standardOutput) { try difference(group, common, \.output, .standardOutput, budget) })
        let isSilent = group.error.total == 0 && common.error.total == 0
        if !isSilent {
            pieces.append(RenderedPiece(.standardError) { try difference(group, common, \.error, .standardError, budget) })
        }
    }

    /// Heading and hunks of one stream. The heading is printed once if both streams lead to the same place.
    private func difference(
        _ group: OutputGroups.Group, _ common: OutputGroups.Group, _ part: KeyPath<OutputGroups.Group, OutputGroups.Stream>,
        _ stream: SSHEvidence.OutputStream, _ budget: LineDifference.Budget
    ) throws -> [UInt8] {
        let (old, new) = (common[keyPath: part], group[keyPath: part])
        let bytes = try store.bytes(of: new.kept)
        let found = LineDifference(from: try store.bytes(of: old.kept), to: bytes, budget: budget)
        let isFirst = stream == .standardOutput
        var facts = isFirst ? omissions(group) : []
        switch found {
        case nil: facts.append("differs too much, whole")
        case let difference? where difference.edits == 0: facts.append(old.total == new.total ? "same" : "same beginning")
        case let difference?: facts.append(difference.lines == 1 ? "1 line differs" : "\(difference.lines) lines differ")
        }
        if !isFirst { facts = facts.map { "standard error: " + $0 } }
        var shown = Array(heading(group, facts, on: stream).utf8)
        var lines = LineAssembler()
        func put(_ line: LineAssembler.Line) {
            if form.isTerminal(stream) {
                shown += changed(line, found != nil, on: stream).utf8
            } else {
                shown += line.bytes
            }
            shown.append(UInt8(ascii: "\n"))
        }
        lines.take(found?.text ?? bytes, put)
        lines.end(put)
        return shown
    }

    /// A line of a difference, in the colours of diff and git.
    private func changed(_ line: LineAssembler.Line, _ isDifference: Bool, on stream: SSHEvidence.OutputStream) -> String {
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
