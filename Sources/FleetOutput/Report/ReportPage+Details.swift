import BridgeSSHFleet
import ErrorCore

/// The outputs, every host, and the run itself.
extension ReportPage {
    // MARK: Outputs

    /// The most common output in full, and the others as differences from it.
    func outputSection(_ html: inout Markup) throws {
        let groups = report.outputs.sorted.filter { !$0.isEmpty }
        guard let common = groups.first else { return }
        html.fixed("<section aria-labelledby=\"outputs\">\n")
        html.element("h2", ["id": "outputs"], text: "What hosts wrote")
        let budget = LineDifference.Budget()
        let base = try report.outputs.store.bytes(of: common.output.kept)
        var shown = 0
        for group in groups.prefix(Self.maximumGroups) where html.bytes.count < Self.maximumBytesWithOutput {
            try output(group, from: shown == 0 ? nil : base, budget, &html)
            shown += 1
        }
        if groups.count > shown {
            let rest = groups.dropFirst(shown)
            let count = rest.map(\.hosts.count).reduce(0, +)
            html.element("p") { html in
                html.text("\(rest.count) more outputs, of \(Formatted.hosts(count)), are not on this page. ")
                if let reference = report.run.reference {
                    Self.prose("All of them: `\(reference.report) --json`", &html)
                }
            }
        }
        html.fixed("</section>\n")
    }

    private func output(
        _ group: OutputGroups.Group, from base: [UInt8]?, _ budget: LineDifference.Budget, _ html: inout Markup
    ) throws {
        let store = report.outputs.store
        let bytes = try store.bytes(of: group.output.kept)
        let errors = try store.bytes(of: group.error.kept)
        let difference = base.flatMap { LineDifference(from: $0, to: bytes, budget: budget) }
        let isOk = group.ending.outcome == .ok
        html.element("article", ["class": "output \(isOk ? "ok" : "bad")"]) { html in
            html.element("h3", text: "\(Formatted.hosts(group.hosts.count)): \(group.ending.text)")
            names(group.hosts, &html)
            let facts = [("standard output", group.output), ("standard error", group.error)].compactMap { name, stream in
                stream.total > stream.kept.count
                    ? "Of the \(name) the first \(Formatted.bytes(stream.kept.count)) of \(Formatted.bytes(stream.total)) were kept."
                    : nil
            }
            for fact in facts { html.element("p", text: fact) }
            if let difference, difference.edits == 0, !bytes.isEmpty {
                html.element("p", text: "The same standard output as the first.")
            } else if let difference, !difference.text.isEmpty, difference.text.count < bytes.count {
                let lines = difference.lines == 1 ? "1 line differs" : "\(difference.lines) lines differ"
                text("Standard output, \(lines) from the first", difference.text, isOpen: base == nil, &html)
            } else if !bytes.isEmpty {
                text("Standard output", bytes, isOpen: base == nil, &html)
            }
            if !errors.isEmpty { text("Standard error", errors, isOpen: base == nil, &html) }
        }
    }

    /// The last lines that most of a cause's hosts wrote: of standard error, or of standard output if there is none.
    func outputTail(_ hosts: [FleetReport.Host], _ html: inout Markup) throws {
        var counts: [String: Int] = [:]
        let groups = hosts.compactMap { failedOutputs[$0.name] }
        for group in groups { counts[group.hosts[0], default: 0] += 1 }
        guard let most = groups.max(by: { (counts[$0.hosts[0]] ?? 0) < (counts[$1.hosts[0]] ?? 0) }) else { return }
        let stream = most.error.total > 0 ? most.error : most.output
        // Of a cut output the beginning was kept, which does not say how the command ended.
        guard stream.total == stream.kept.count else { return }
        let bytes = try report.outputs.store.bytes(of: stream.kept)
        var lines = bytes.suffix(Self.maximumTailLength).split(separator: UInt8(ascii: "\n"))
        if bytes.count > Self.maximumTailLength, lines.count > 1 { lines.removeFirst() }
        let count = counts[most.hosts[0]] ?? 0
        let whose = hosts.count == 1 ? "It" : count == hosts.count ? "All of them" : "\(count) of them"
        let title = "\(whose) wrote at last, on standard \(most.error.total > 0 ? "error" : "output"):"
        html.element("p", text: title)
        html.element("pre", ["tabindex": "0", "role": "region", "aria-label": title]) { html in
            html.output(lines.suffix(Self.maximumLastLines).joined(separator: [UInt8(ascii: "\n")]).map(\.self))
        }
    }

    private func text(_ title: String, _ bytes: [UInt8], isOpen: Bool, _ html: inout Markup) {
        let part = bytes.prefix(Self.maximumOutputLength)
        let isCut = bytes.count > part.count
        html.element("details", ["open": isOpen && bytes.count < 4096 ? "" : nil]) { html in
            html.element("summary", text: "\(title), \(Formatted.bytes(bytes.count))")
            html.element("pre", ["tabindex": "0", "role": "region", "aria-label": title]) { html in
                html.output(part[..<(isCut ? part.endOfCharacters : part.endIndex)])
            }
            if isCut { html.element("p", text: "Only the first \(Formatted.bytes(part.count)) are on this page.") }
        }
    }

    // MARK: Every host

    func hostTable(_ html: inout Markup) {
        html.fixed("<section aria-labelledby=\"hosts\">\n")
        html.element("h2", ["id": "hosts"], text: "Every host")
        html.element("details", ["open": hosts.count <= 30 ? "" : nil]) { html in
            html.element("summary", text: Formatted.hosts(hosts.count))
            for start in stride(from: 0, to: hosts.count, by: Self.hostsPerTable) {
                let part = hosts[start..<min(start + Self.hostsPerTable, hosts.count)]
                let isWhole = part.count == hosts.count
                let name = isWhole ? "Every host" : "Every host, \(start + 1) to \(part.endIndex)"
                let columns = ["Host", "Outcome", "End", "Tries", "Batch", "Began", "Seconds"]
                Self.table(name, columns, kind: isWhole ? "" : "part", &html) { html in
                    for host in part { Self.row(host, &html) }
                }
            }
        }
        html.fixed("</section>\n")
    }

    /// A browser lays out only the tables that are in view. One table of 10,000 rows would take seconds for each step of
    /// scrolling.
    private static let hostsPerTable = 250

    private static func row(_ host: FleetReport.Host, _ html: inout Markup) {
        html.element("tr") { html in
            html.element("th", ["scope": "row"], text: VisibleText.name(host.name))
            html.element("td", ["class": host.outcome.rawValue], text: host.outcome.rawValue)
            html.element("td", text: host.outcome == .ok ? "" : host.ending)
            html.element("td", ["class": "number"], text: "\(host.attempts)")
            html.element("td", ["class": "number"], text: "\(host.batch)")
            html.element("td", ["class": "number"], text: ReportChart.thousandths(host.began))
            html.element("td", ["class": "number"], text: ReportChart.thousandths(host.duration))
        }
    }

    // MARK: The run

    func facts(_ html: inout Markup) {
        let run = report.run
        var facts: [(String, String)] = [
            ("Run", run.name), ("Subcommand", "fleet \(run.kind)"), ("Command", run.command),
            ("Began", FleetTimestamp.text(run.startedAt)), ("Took", Formatted.time(run.duration.boundedSeconds)),
            ("Exit status", run.exitStatus.map(String.init) ?? (run.isUnderWay ? "still under way" : "none: interrupted")),
        ]
        if !run.arguments.isEmpty {
            facts.append(("Command line", "bridge-ssh fleet " + run.arguments.map(\.shellWord).joined(separator: " ")))
        }
        if let journal = run.journal { facts.append(("Journal", journal)) }
        facts.append(("Written by", "bridge-ssh \(run.version)"))
        html.element("section", ["aria-labelledby": "run"]) { html in
            html.element("h2", ["id": "run"], text: "The run")
            html.element("dl") { html in
                for (name, value) in facts {
                    html.element("dt", text: name)
                    html.element("dd") { $0.element("code", text: TerminalText.inert(value, limit: 8192)) }
                }
            }
        }
    }
}
