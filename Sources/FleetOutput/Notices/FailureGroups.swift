import BridgeSSHFleet
import ErrorCore

/// The failures of a run by cause, each remedy once.
struct FailureGroups: Sendable {
    private struct Cause: Hashable {
        let ending: HostEnding
        let code: String
        let cause: String?
        /// The jump host that failed; nil for the destination.
        let jumpHost: String?
    }

    struct Group: Sendable {
        let title: String
        let code: String
        let outcome: FleetHostOutcome
        /// The cause's message if it is the same for every host of the group; otherwise nil.
        var message: String?
        /// The remedy for all hosts of the group.
        var remedy: RemedyText
        var hosts: [String]
    }

    private var groups: [Cause: Group] = [:]

    /// The groups, largest first.
    var sorted: [Group] {
        groups.values.sorted { ($1.hosts.count, $0.code, $0.title) < ($0.hosts.count, $1.code, $1.title) }
    }

    /// How many hosts failed with this code.
    func count(of code: SSHError.Code) -> Int {
        groups.values.lazy.filter { $0.code == code.rawValue }.map(\.hosts.count).reduce(0, +)
    }

    mutating func add(_ result: FleetHostResult) {
        guard let error = result.error else { return }
        let cause = Cause(
            ending: HostEnding(result), code: error.code.rawValue, cause: error.cause?.code, jumpHost: Self.jumpHost(error))
        if groups[cause] == nil {
            groups[cause] = Group(
                title: Self.title(error, result), code: error.code.rawValue, outcome: result.outcome,
                message: error.cause?.message, remedy: error.remedyText, hosts: [result.host])
            return
        }
        groups[cause]?.hosts.append(result.host)
        if groups[cause]?.message != error.cause?.message { groups[cause]?.message = nil }
        // A remedy that names its host does not fit the whole group.
        if groups[cause]?.remedy != error.remedyText {
            groups[cause]?.remedy = FailureCatalogue.definition(of: error.code).remedy
        }
    }

    /// Lines with each cause, its hosts, and its remedy once.
    ///
    /// - Parameter folded: folds names into one expression.
    func lines(_ form: OutputForm, folded: ([String]) -> String) -> [String] {
        sorted.flatMap { group -> [String] in
            var head = form.paragraph("\(Formatted.hosts(group.hosts.count)): \(group.title) [\(group.code)]", "✖ ")
            head[0] = form.painted("✖", HostColor.failure, on: .standardError) + head[0].dropFirst()
            // Folded names stay one word, so that they can be copied.
            return head + ["  " + VisibleText.names(folded(group.hosts))] + form.paragraph(group.message ?? "", "  ")
                + form.paragraph(group.remedy.commandLine, "  → ")
        }
    }

    /// Hosts behind a failing jump host fail alike.
    private static func jumpHost(_ error: SSHError) -> String? {
        guard error.evidence.hop?.isJumpHost == true else { return nil }
        return VisibleText.name(SSHEndpoint.label(error.evidence.name, error.evidence.host)) + " port \(error.evidence.port)"
    }

    private static func title(_ error: SSHError, _ result: FleetHostResult) -> String {
        guard result.outcome == .failed, result.transfer == nil else {
            return error.code.title + (jumpHost(error).map { ", at the jump host \($0)" } ?? "")
        }
        let ending = HostEnding(result).text
        return error.cause.map { "\(ending), \($0.code)" } ?? ending
    }
}

extension OutputForm {
    /// A message of bridge-ssh's own, in lines that fit the terminal.
    func message(_ text: String) -> String { paragraph("bridge-ssh: \(text)", indent: 2).joined(separator: "\n") + "\n" }

    /// A text as lines that fit the terminal; no lines if there is no text.
    ///
    /// - Parameters:
    ///   - mark: the start of the first line.
    ///   - indent: the columns before each further line; nil for those of the mark.
    func paragraph(_ text: String, _ mark: String = "", indent: Int? = nil) -> [String] {
        guard !text.isEmpty else { return [] }
        let indent = indent ?? mark.count
        let width = isErrorTerminal ? max(20, width - indent - 1) : .max
        return TerminalText.fold(TerminalText.escape(text), width: width).enumerated().map { line in
            (line.offset == 0 ? mark : String(repeating: " ", count: indent)) + line.element
        }
    }
}
