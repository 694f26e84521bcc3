import BridgeSSHFleet
import ErrorCore

/// The ends of what hosts wrote, for the test cases of ``ReportJUnit``: bounded, without secrets, and without anything that a
/// reader of the file would take for an instruction.
struct CaseOutputs {
    /// What one host wrote last; nil where it wrote nothing, and where no room is left.
    struct OutputTails {
        var standardOutput: String?
        var standardError: String?
    }

    /// The most bytes of a stream in a case.
    static let maximumLength = 4 << 10
    /// The bytes in which secrets are looked for. The part before the end is read too, because a key that begins there would
    /// otherwise not be recognised.
    private static let searched = 24 << 10

    /// The bytes left for hosts that are ok, and for the others. GitLab reads no file above 30 MB.
    private var room: [Bool: Int]
    private let store: OutputStore
    private let groups: [String: OutputGroups.Group]
    /// Equal outputs are read and searched once.
    private var cache: [String: OutputTails] = [:]

    init(_ report: FleetReport, room: [Bool: Int] = [true: 4 << 20, false: 12 << 20]) {
        self.room = room
        store = report.outputs.store
        groups = report.outputs.byHost()
    }

    /// The ends of a host's output, which then take up room.
    mutating func take(_ host: FleetReport.Host) throws -> OutputTails {
        // Where no room is left, outputs are not searched in vain.
        guard let group = groups[host.name], let first = group.hosts.first, room[host.outcome == .ok, default: 0] > 0 else {
            return OutputTails()
        }
        let ends = try cache[first] ?? OutputTails(standardOutput: end(of: group.output), standardError: end(of: group.error))
        if group.hosts.count > 1 { cache[first] = ends }
        let size = (ends.standardOutput?.utf8.count ?? 0) + (ends.standardError?.utf8.count ?? 0)
        let left = room[host.outcome == .ok, default: 0] - size
        room[host.outcome == .ok] = max(0, left)
        guard left >= 0 else { return OutputTails() }
        return ends
    }

    private func end(of stream: OutputGroups.Stream) throws -> String? {
        guard stream.total > 0 else { return nil }
        return Self.end(of: try store.bytes(of: stream.kept), total: stream.total)
    }

    /// The end of an output as text, with a remark where something is left out.
    ///
    /// - Parameter total: the bytes that arrived; the first of them were kept.
    static func end(of kept: [UInt8], total: Int) -> String {
        var lines = kept.suffix(searched).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let whole = lines.map { VisibleText.line($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }.joined(separator: "\n")
        let text = withoutAttachments(Redactor.standard.text(whole))
        var shown = text[...]
        if text.utf8.count > maximumLength {
            let utf8 = text.utf8
            var start = utf8.index(utf8.endIndex, offsetBy: -maximumLength)
            // At the beginning of a line if there is one, and at a whole character in any case.
            if let line = utf8[start...].firstIndex(of: UInt8(ascii: "\n")) { start = utf8.index(after: line) }
            while start < utf8.endIndex, utf8[start] & 0xC0 == 0x80 { start = utf8.index(after: start) }
            shown = text[start...]
        }
        var remarks: [String] = []
        if shown.utf8.count < text.utf8.count || kept.count > searched { remarks.append("only the end is shown") }
        if total > kept.count {
            remarks.append("only the first \(Formatted.bytes(kept.count)) of \(Formatted.bytes(total)) were kept")
        }
        return (remarks.isEmpty ? "" : "[\(remarks.joined(separator: "; "))]\n") + shown
    }

    /// Jenkins and GitLab take `[[ATTACHMENT|path]]` in a case for the name of a file to show. A host could name any file of the
    /// machine on which the CI system works.
    static func withoutAttachments(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "|")) else { return text }
        return text.replacing("[[ATTACHMENT|", with: "[ [ATTACHMENT|")
    }
}
