import BridgeSSHFleet
import ErrorCore

/// A run as JUnit XML, which CI systems read. Every host is a test case, even if it was never reached.
///
/// `failed` is a failure, `error` and `unknown` are errors, `skipped` is skipped; the type is the failure code. The end of a
/// host's output is its `system-out` and `system-err`. The elements and their order follow `junit-10.xsd`, the schema of Jenkins'
/// xunit plug-in.
package enum ReportJUnit {
    /// The content of the file.
    ///
    /// - Throws: `SSHError` if a kept output cannot be read back.
    package static func bytes(of report: FleetReport) throws -> [UInt8] {
        var outputs = CaseOutputs(report)
        var xml = Markup()
        let hosts = report.hosts
        let outcomes = report.outcomes
        func count(_ outcome: FleetHostOutcome) -> String { "\(outcomes[outcome] ?? 0)" }
        let errors = "\((outcomes[.error] ?? 0) + (outcomes[.unknown] ?? 0))"
        let time = ReportChart.thousandths(report.run.duration.boundedSeconds)
        let name = "bridge-ssh fleet \(report.run.kind): \(TerminalText.inert(report.run.command, limit: 200))"
        xml.fixed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        try xml.element(
            "testsuites",
            // The schema has no number of skipped cases here.
            ["name": name, "tests": "\(hosts.count)", "failures": count(.failed), "errors": errors, "time": time]
        ) { xml in
            try xml.element(
                "testsuite",
                [
                    "name": name, "tests": "\(hosts.count)", "failures": count(.failed), "errors": errors,
                    "skipped": count(.skipped), "time": time,
                    // In UTC, because the schema has no time zone.
                    "timestamp": String(FleetTimestamp.text(report.run.startedAt).prefix(19)),
                ]
            ) { xml in
                xml.element("properties") { xml in
                    xml.empty("property", ["name": "run", "value": report.run.name])
                    xml.empty("property", ["name": "command", "value": report.run.command])
                    if let status = report.run.exitStatus { xml.empty("property", ["name": "exitStatus", "value": "\(status)"]) }
                }
                for host in hosts { try add(host, report.run, outputs.take(host), &xml) }
            }
        }
        return xml.bytes
    }

    private static func add(
        _ host: FleetReport.Host, _ run: FleetReport.Run, _ output: CaseOutputs.OutputTails, _ xml: inout Markup
    ) {
        let attributes: Markup.Attributes = [
            "classname": "bridge-ssh.fleet.\(run.kind)", "name": VisibleText.name(host.name),
            "time": ReportChart.thousandths(host.duration),
        ]
        xml.element("testcase", attributes) { xml in
            switch host.outcome {
            case .ok: break
            case .skipped: xml.empty("skipped", ["message": "never begun"])
            case .failed: xml.element("failure", problem(host), text: detail(host))
            case .error, .unknown: xml.element("error", problem(host), text: detail(host))
            }
            if let text = output.standardOutput { xml.element("system-out", text: text) }
            if let text = output.standardError { xml.element("system-err", text: text) }
        }
    }

    private static func problem(_ host: FleetReport.Host) -> Markup.Attributes {
        ["type": host.code ?? "ssh.fleet.\(host.outcome.rawValue)", "message": message(host)]
    }

    /// A message may quote what the host wrote.
    private static func message(_ host: FleetReport.Host) -> String {
        host.message.map { CaseOutputs.withoutAttachments(Redactor.standard.text($0)) } ?? host.ending
    }

    private static func detail(_ host: FleetReport.Host) -> String {
        let tries = host.attempts == 1 ? "1 try" : "\(host.attempts) tries"
        return [
            message(host),
            "\(host.outcome.rawValue) (\(ReportPage.explanation(host.outcome))): \(host.ending), after \(tries)", host.remedy,
        ].compactMap(\.self)
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }
}

/// The ends of the hosts' outputs, for the test cases of ``ReportJUnit``: bounded, without secrets, and without text that a
/// reader of the file would interpret.
struct CaseOutputs {
    /// The last output of a host; nil if it wrote nothing, or if no space is left.
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
    private var space: [Bool: Int]
    private let store: OutputStore
    private let groups: [String: OutputGroups.Group]
    /// Equal outputs are read and searched once.
    private var cache: [String: OutputTails] = [:]

    init(_ report: FleetReport, space: [Bool: Int] = [true: 4 << 20, false: 12 << 20]) {
        self.space = space
        store = report.outputs.store
        groups = report.outputs.byHost()
    }

    /// The ends of a host's output, which then take up space.
    mutating func take(_ host: FleetReport.Host) throws -> OutputTails {
        // If no space is left, outputs are not searched in vain.
        guard let group = groups[host.name], let first = group.hosts.first, space[host.outcome == .ok, default: 0] > 0 else {
            return OutputTails()
        }
        let ends = try cache[first] ?? OutputTails(standardOutput: end(of: group.output), standardError: end(of: group.error))
        if group.hosts.count > 1 { cache[first] = ends }
        let size = (ends.standardOutput?.utf8.count ?? 0) + (ends.standardError?.utf8.count ?? 0)
        let left = space[host.outcome == .ok, default: 0] - size
        space[host.outcome == .ok] = max(0, left)
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
