import BridgeSSHFleet
import ErrorCore

/// A run as one HTML file: no scripts, no requests, light and dark colour schemes.
package struct ReportPage {
    /// The most causes, and the most outputs, that are shown.
    static let maximumGroups = 200
    /// The length of the page in bytes up to which outputs are added, and the most bytes of a single output.
    static let maximumBytesWithOutput = 6 << 20
    static let maximumOutputLength = 32 << 10
    /// The most bytes and lines of output to show for a cause.
    static let maximumTailLength = 1 << 10
    static let maximumLastLines = 8
    /// Longer lists of names, in bytes, are collapsed.
    private static let maximumNamesLength = 600

    let report: FleetReport
    let hosts: [FleetReport.Host]
    let outcomes: [FleetHostOutcome: Int]
    /// The output of the hosts that are not ok.
    let failedOutputs: [String: OutputGroups.Group]

    private init(_ report: FleetReport) {
        self.report = report
        hosts = report.hosts
        outcomes = report.outcomes
        failedOutputs = report.outputs.byHost { $0 != .ok }
    }

    /// The content of the file.
    ///
    /// - Throws: `SSHError` if a kept output cannot be read back.
    package static func bytes(of report: FleetReport) throws -> [UInt8] {
        var html = Markup()
        try ReportPage(report).write(&html)
        return html.bytes
    }

    private func write(_ html: inout Markup) throws {
        html.fixed("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        html.fixed("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        // Nothing is loaded or executed, whatever a host has written.
        html.fixed(
            """
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="color-scheme" content="light dark">

            """)
        html.element("title", text: "\(headline) \u{2013} bridge-ssh fleet \(report.run.kind)")
        html.fixed("\n<style>\n")
        html.fixed(ReportStyle.sheet)
        html.fixed("</style>\n</head>\n<body>\n")
        header(&html)
        html.fixed("<main>\n")
        try failures(&html)
        charts(&html)
        try outputSection(&html)
        hostTable(&html)
        facts(&html)
        html.fixed("</main>\n</body>\n</html>\n")
    }

    // MARK: The sentence

    private var failedCount: Int { hosts.count - count(.ok) }

    func count(_ outcome: FleetHostOutcome) -> Int { outcomes[outcome] ?? 0 }

    private var headline: String {
        failedCount == 0 ? "All \(hosts.count) ok" : "\(failedCount) of \(Formatted.hosts(hosts.count)) not ok"
    }

    private func header(_ html: inout Markup) {
        html.element("header") { html in
            html.element("p", ["class": "kind"], text: "bridge-ssh fleet \(report.run.kind)")
            html.element("h1") { $0.element("code", text: TerminalText.inert(report.run.command, limit: 400)) }
            html.element("p", ["class": failedCount == 0 ? "sentence ok" : "sentence bad"], text: report.sentence)
            html.element("p", ["class": "when"], text: circumstances)
            overview(&html)
            let advice = report.notices.nextSteps(outcomes)
            if !advice.isEmpty {
                html.element("section", ["aria-labelledby": "next"]) { html in
                    html.element("h2", ["id": "next"], text: "What to type next")
                    html.element("ul") { html in
                        for line in advice { html.element("li") { Self.prose(line, &$0) } }
                    }
                }
            }
        }
    }

    private var circumstances: String {
        let run = report.run
        let state =
            run.isUnderWay
            ? "still under way" : run.exitStatus.map { "exit status \($0)\(Self.meaning(of: $0))" } ?? "interrupted"
        let begin = FleetTimestamp.text(run.startedAt).replacing("T", with: " ").prefix(19)
        return "\(begin) UTC · took \(Formatted.time(run.duration.boundedSeconds)) · \(state) · run \(run.name)"
    }

    private static func meaning(of status: Int) -> String {
        switch status {
        case 192: " (stopped early)"
        case 129, 130, 143: " (ended by a signal)"
        default: ""
        }
    }

    /// One bar for all hosts, and its numbers.
    private func overview(_ html: inout Markup) {
        guard !hosts.isEmpty else { return }
        let counts = FleetHostOutcome.allCases.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
        ReportChart.bar(
            Self.shown.map { ($0.rawValue, Double(count($0))) }, of: Double(hosts.count), label: "Hosts by outcome: \(counts)",
            &html)
        html.element("ul", ["class": "counts"]) { html in
            for outcome in Self.shown where count(outcome) > 0 {
                html.element("li") { html in
                    html.element("span", ["class": "swatch \(outcome.rawValue)", "aria-hidden": "true"], text: "")
                    html.element("strong", text: "\(count(outcome))")
                    html.text(" \(outcome.rawValue) ")
                    html.element("small", text: Self.explanation(outcome))
                }
            }
        }
    }

    /// The outcomes that need attention come first.
    static let shown: [FleetHostOutcome] = [.failed, .error, .unknown, .skipped, .ok]

    static func explanation(_ outcome: FleetHostOutcome) -> String {
        switch outcome {
        case .ok: "done"
        case .failed: "ran and failed"
        case .error: "SSH failed, did not run"
        case .unknown: "SSH failed, may have run"
        case .skipped: "never begun"
        }
    }

    // MARK: Failures

    private func failures(_ html: inout Markup) throws {
        let groups = report.notices.failures.sorted
        let byName = Dictionary(hosts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard failedCount > 0 else { return }
        html.fixed("<section aria-labelledby=\"failures\">\n")
        html.element("h2", ["id": "failures"], text: "What failed, by cause")
        for group in groups.prefix(Self.maximumGroups) {
            try cause(
                group.title, group.code, group.outcome, message: group.message, remedy: group.remedy.commandLine,
                group.hosts.compactMap { byName[$0] }, &html)
        }
        if groups.count > Self.maximumGroups {
            let rest = groups.dropFirst(Self.maximumGroups)
            let count = rest.map(\.hosts.count).reduce(0, +)
            html.element("p", text: "\(rest.count) more causes, of \(Formatted.hosts(count)): see the table of all hosts below.")
        }
        let unended = hosts.filter { $0.outcome == .unknown && $0.code == nil }
        if !unended.isEmpty {
            try cause(
                "No end is known", nil, .unknown, message: "The run ended while the command may have been running there.",
                remedy: "Look there first; it is not run again unless you ask for it.", unended, &html)
        }
        let skipped = hosts.filter { $0.outcome == .skipped }
        if !skipped.isEmpty {
            try cause(
                "Never begun", nil, .skipped, message: nil,
                remedy: report.run.reference.map { "Go on with `\($0.resume)`\($0.resumeNote)." } ?? "", skipped, &html)
        }
        html.fixed("</section>\n")
    }

    private func cause(
        _ title: String, _ code: String?, _ outcome: FleetHostOutcome, message: String?, remedy: String,
        _ hosts: [FleetReport.Host], _ html: inout Markup
    ) throws {
        try html.element("article", ["class": "cause \(outcome.rawValue)"]) { html in
            html.element("h3") { html in
                html.text("\(Formatted.hosts(hosts.count)): \(title)")
                if let code {
                    html.text(" ")
                    html.element("code", ["class": "code"], text: code)
                }
            }
            html.element("p", ["class": "badge \(outcome.rawValue)"], text: "\(outcome.rawValue): \(Self.explanation(outcome))")
            // A single host's message is shown directly, without a table.
            let single = hosts.count == 1 ? hosts[0].message : nil
            if let message = message ?? single, !message.isEmpty { html.element("p", ["class": "message"], text: message) }
            try outputTail(hosts, &html)
            if !remedy.isEmpty {
                html.element("p", ["class": "remedy"]) { html in
                    html.element("strong", text: "What to do: ")
                    Self.prose(remedy, &html)
                }
            }
            names(hosts.map(\.name), &html)
            if outcome != .skipped, single == nil || message != nil { each(hosts, &html) }
        }
    }

    /// Adds folded names; a long list is collapsed.
    func names(_ names: [String], _ html: inout Markup) {
        let folded = VisibleText.names(report.folded(names))
        guard folded.utf8.count > Self.maximumNamesLength else {
            html.element("p", ["class": "names"]) { $0.element("code", text: folded) }
            return
        }
        html.element("details") { html in
            html.element("summary", text: "The \(Formatted.hosts(names.count))")
            html.element("p", ["class": "names"]) { $0.element("code", text: folded) }
        }
    }

    private func each(_ hosts: [FleetReport.Host], _ html: inout Markup) {
        html.element("details") { html in
            html.element("summary", text: "What each host says")
            Self.table("What each host says", ["Host", "What happened", "Tries", "Time"], &html) { html in
                for host in hosts {
                    html.element("tr") { html in
                        html.element("th", ["scope": "row"], text: VisibleText.name(host.name))
                        html.element("td", text: host.message ?? host.ending)
                        html.element("td", ["class": "number"], text: "\(host.attempts)")
                        html.element("td", ["class": "number"], text: Formatted.time(host.duration))
                    }
                }
            }
        }
    }

    // MARK: Parts

    /// Adds a table that scrolls sideways if it is too wide, also with the keyboard.
    ///
    /// - Parameter kind: a further class.
    static func table(
        _ name: String, _ columns: [String], kind: String = "", _ html: inout Markup, _ rows: (inout Markup) -> Void
    ) {
        let classes = kind.isEmpty ? "scroll" : "scroll " + kind
        html.element("div", ["class": classes, "role": "region", "aria-label": name, "tabindex": "0"]) { html in
            html.element("table") { html in
                html.element("thead") { html in
                    html.element("tr") { html in
                        for column in columns { html.element("th", ["scope": "col"], text: column) }
                    }
                }
                html.element("tbody") { rows(&$0) }
            }
        }
    }

    /// Adds a text of our own, in which backquotes enclose what is to be typed.
    static func prose(_ text: String, _ html: inout Markup) {
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated() where !part.isEmpty {
            if index.isMultiple(of: 2) { html.text(String(part)) } else { html.element("code", text: String(part)) }
        }
    }
}

/// The style sheet of a report. Every text has a contrast of at least 4.5:1 with its background, in both colour schemes.
enum ReportStyle {
    static let sheet: StaticString = """
        :root { color-scheme: light dark; --back: #ffffff; --card: #f6f8fa; --text: #1b1f24; --soft: #505a64; --line: #d0d7de;
          --ok: #17692e; --failed: #b42318; --error: #8f4400; --unknown: #6b3fa0; --skipped: #505a64;
          --s1: #8c959f; --s2: #0969da; --s3: #bf8700; --s4: #6b3fa0; --s5: #b42318; --s6: #0a7d8c; --s7: #1a7f37; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #0d1117; --card: #161b22; --text: #e6edf3; --soft: #a9b3bd; --line: #3d444d;
            --ok: #56d364; --failed: #ff8a80; --error: #ffb26b; --unknown: #d2a8ff; --skipped: #a9b3bd;
            --s1: #8b949e; --s2: #58a6ff; --s3: #e3b341; --s4: #bc8cff; --s5: #ff7b72; --s6: #39c5cf; --s7: #3fb950; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; padding: 1rem; max-width: 75rem; background: var(--back); color: var(--text);
          font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { font-size: 1.35rem; margin: 0; line-height: 1.3; }
        h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
        header h2 { font-size: 1rem; margin: 1rem 0 0; border: 0; }
        h3 { font-size: 1rem; margin: 0 0 .25rem; }
        section > h3 { margin: 1.5rem 0 .5rem; }
        p { margin: .25rem 0; }
        code, pre, .names { font-family: ui-monospace, monospace; font-size: .9em; }
        code, th, td, dd { unicode-bidi: isolate; }
        small, .when, .kind { color: var(--soft); }
        .kind, .when { font-size: .9rem; }
        .sentence { font-size: 1.25rem; font-weight: 600; margin: .75rem 0 .25rem; }
        .sentence.ok, td.ok { color: var(--ok); }
        .sentence.bad, td.failed, .badge.failed { color: var(--failed); }
        td.error, .badge.error { color: var(--error); }
        td.unknown, .badge.unknown { color: var(--unknown); }
        td.skipped, .badge.skipped { color: var(--skipped); }
        .badge { font-size: .85rem; font-weight: 600; }
        .code { font-weight: 400; color: var(--soft); }
        ul { padding-left: 1.25rem; margin: .25rem 0; }
        .counts, .legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
        .legend { font-size: .85rem; }
        .swatch { display: inline-block; width: .75em; height: .75em; margin-right: .35em; border-radius: 2px; }
        .swatch.ok { background: var(--ok); } .swatch.failed { background: var(--failed); }
        .swatch.error { background: var(--error); } .swatch.unknown { background: var(--unknown); }
        .swatch.skipped { background: var(--skipped); }
        article { background: var(--card); border: 1px solid var(--line); border-left: .3rem solid var(--skipped);
          border-radius: .3rem; padding: .75rem 1rem; margin: .75rem 0; }
        article.failed, article.bad { border-left-color: var(--failed); } article.error { border-left-color: var(--error); }
        article.unknown { border-left-color: var(--unknown); } article.ok { border-left-color: var(--ok); }
        .message { white-space: pre-line; }
        details { margin: .25rem 0; } summary { cursor: pointer; }
        :focus-visible { outline: 2px solid var(--s2); outline-offset: 1px; }
        pre { overflow: auto; max-height: 30rem; margin: .25rem 0; padding: .5rem; background: var(--back);
          border: 1px solid var(--line); white-space: pre-wrap; }
        .scroll { overflow-x: auto; max-width: 100%; }
        table { border-collapse: collapse; font-size: .9rem; overflow-wrap: normal; }
        th, td { text-align: left; vertical-align: top; padding: .2rem .6rem .2rem 0; font-weight: 400; }
        tbody th { font-family: ui-monospace, monospace; font-size: .85rem; max-width: 22rem; overflow-wrap: anywhere; min-width: 5rem; }
        td { max-width: 45rem; overflow-wrap: anywhere; min-width: 3rem; }
        thead th { color: var(--soft); font-size: .85rem; white-space: nowrap; }
        tbody tr { border-top: 1px solid var(--line); }
        .number { font-variant-numeric: tabular-nums; white-space: nowrap; }
        .part { content-visibility: auto; contain-intrinsic-size: auto 400rem; }
        .part table { table-layout: fixed; width: 58rem; }
        .part th:first-child { width: 16rem; } .part th:nth-child(3) { width: 17rem; }
        .chart { min-width: 12rem; width: 30rem; }
        svg.bar { display: block; width: 100%; height: .9rem; margin: .3rem 0; background: var(--card); }
        header svg.bar { height: 1.25rem; border-radius: .2rem; }
        svg.columns { display: block; width: 100%; height: 2.5rem; border-bottom: 1px solid var(--line); }
        rect.ok { fill: var(--ok); } rect.failed, rect.bad { fill: var(--failed); } rect.error { fill: var(--error); }
        rect.unknown { fill: var(--unknown); } rect.skipped { fill: var(--skipped); }
        rect.s-resolve { fill: var(--s1); } rect.s-connect { fill: var(--s2); } rect.s-banner { fill: var(--s3); }
        rect.s-key { fill: var(--s4); } rect.s-authentication { fill: var(--s5); } rect.s-channel { fill: var(--s6); }
        rect.s-command { fill: var(--s7); }
        .s-resolve { background: var(--s1); } .s-connect { background: var(--s2); } .s-banner { background: var(--s3); }
        .s-key { background: var(--s4); } .s-authentication { background: var(--s5); } .s-channel { background: var(--s6); }
        .s-command { background: var(--s7); }
        dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .2rem 1rem; }
        dt { color: var(--soft); } dd { margin: 0; }
        @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: .5rem; } .chart { min-width: 8rem; } }
        @media print {
          :root { --back: #ffffff; --card: #ffffff; --text: #000000; --soft: #404040; --line: #b0b0b0; --ok: #17692e;
            --failed: #b42318; --error: #8f4400; --unknown: #6b3fa0; --skipped: #505a64; }
          body { max-width: none; padding: 0; font-size: 10pt; } article { break-inside: avoid; }
          .scroll, pre { overflow: visible; max-height: none; } .part { content-visibility: visible; }
          table, .part table { width: 100%; font-size: 8pt; }
          th, td, tbody th { min-width: 0; padding-right: .3rem; } thead th { white-space: normal; font-size: 8pt; }
          .chart { min-width: 5rem; width: auto; }
          svg, .swatch { print-color-adjust: exact; }
        }

        """
}
