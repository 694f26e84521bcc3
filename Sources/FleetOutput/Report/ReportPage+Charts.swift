import BridgeSSHFleet

/// The use of time: durations, batches, the slowest hosts. Each bar is in the table row that has its numbers.
extension ReportPage {
    private static let slowest = 20
    private static let maximumLanes = 40
    private static let bins = 60

    func charts(_ html: inout Markup) {
        let begun = hosts.filter { $0.attempts > 0 }
        guard !begun.isEmpty else { return }
        html.fixed("<section aria-labelledby=\"time\">\n")
        html.element("h2", ["id": "time"], text: "Where the time went")
        // With few hosts, the table below lists each.
        if begun.count > Self.slowest {
            durations(begun, &html)
            timeline(begun, &html)
        }
        slowest(begun, &html)
        html.fixed("</section>\n")
    }

    // MARK: Durations

    private func durations(_ begun: [FleetReport.Host], _ html: inout Markup) {
        let times = begun.map(\.duration).sorted()
        let median = Formatted.time(times[times.count / 2])
        html.element("h3", text: "How long hosts took: half of them \(median) or less")
        let bounds = ReportChart.bounds(times)
        var rows = bounds.map { _ in (ok: 0, bad: 0) }
        for host in begun {
            let row = bounds.lastIndex { $0 <= host.duration } ?? 0
            if host.outcome == .ok { rows[row].ok += 1 } else { rows[row].bad += 1 }
        }
        let most = Double(rows.map { $0.ok + $0.bad }.max() ?? 1)
        Self.table("How long hosts took", ["From", "Hosts", "Not ok", "Share"], &html) { html in
            for (bound, row) in zip(bounds, rows) {
                html.element("tr") { html in
                    html.element("th", ["scope": "row", "class": "number"], text: ReportChart.precise(bound))
                    html.element("td", ["class": "number"], text: "\(row.ok + row.bad)")
                    html.element("td", ["class": "number"], text: "\(row.bad)")
                    html.element("td", ["class": "chart"]) { html in
                        ReportChart.bar(
                            [("bad", Double(row.bad)), ("ok", Double(row.ok))], of: most,
                            label: "\(row.ok) ok, \(row.bad) not ok", &html)
                    }
                }
            }
        }
    }

    // MARK: Batches

    private func timeline(_ begun: [FleetReport.Host], _ html: inout Markup) {
        let end = max(begun.map { $0.began + $0.duration }.max() ?? 0, 0.001)
        let batches = begun.map(\.batch).max() ?? 1
        let width = (batches + Self.maximumLanes - 1) / Self.maximumLanes
        var lanes: [Int: [FleetReport.Host]] = [:]
        for host in begun { lanes[(max(1, host.batch) - 1) / width, default: []].append(host) }
        html.element(
            "h3",
            text: "When hosts ended, from the start of the run to \(ReportChart.precise(end))\(batches > 1 ? ", by batch" : "")")
        let most = lanes.values.flatMap { ReportChart.ends($0, bins: Self.bins, until: end).map { $0.ok + $0.bad } }.max() ?? 1
        Self.table("When hosts ended", ["Batch", "Hosts", "Not ok", "Began", "Ended", "Ends over time"], &html) { html in
            for (lane, hosts) in lanes.sorted(by: { $0.key < $1.key }) {
                let first = lane * width + 1
                let last = min(batches, first + width - 1)
                html.element("tr") { html in
                    html.element("th", ["scope": "row"], text: first == last ? "\(first)" : "\(first)\u{2013}\(last)")
                    html.element("td", ["class": "number"], text: "\(hosts.count)")
                    html.element("td", ["class": "number"], text: "\(hosts.count { $0.outcome != .ok })")
                    html.element("td", ["class": "number"], text: ReportChart.precise(hosts.map(\.began).min() ?? 0))
                    html.element(
                        "td", ["class": "number"], text: ReportChart.precise(hosts.map { $0.began + $0.duration }.max() ?? 0))
                    html.element("td", ["class": "chart"]) { html in
                        ReportChart.columns(
                            ReportChart.ends(hosts, bins: Self.bins, until: end), most: most,
                            label: "When the \(Formatted.hosts(hosts.count)) ended", &html)
                    }
                }
            }
        }
    }

    // MARK: The slowest

    private func slowest(_ begun: [FleetReport.Host], _ html: inout Markup) {
        let slow = begun.sorted { ($1.duration, $0.name) < ($0.duration, $1.name) }.prefix(Self.slowest)
        let longest = max(slow.first?.duration ?? 0, 0.001)
        html.element(
            "h3",
            text: begun.count > slow.count
                ? "The slowest \(slow.count), and where their last try spent its time"
                : "How long each host took, and where its last try spent its time")
        html.element("ul", ["class": "legend", "aria-label": "Colours of the stages"]) { html in
            for (name, _) in ReportChart.stages {
                html.element("li") { html in
                    html.element("span", ["class": "swatch s-\(name.words[0])", "aria-hidden": "true"], text: "")
                    html.text(name)
                }
            }
        }
        Self.table("The slowest hosts", ["Host", "Seconds", "Stages"] + ReportChart.stages.map(\.name), &html) { html in
            for host in slow {
                let spent = ReportChart.stages.map { ($0.name, host.stages.seconds[keyPath: $0.time]) }
                html.element("tr") { html in
                    html.element("th", ["scope": "row"], text: VisibleText.name(host.name))
                    html.element("td", ["class": "number"], text: ReportChart.thousandths(host.duration))
                    html.element("td", ["class": "chart"]) { html in
                        let label = spent.filter { $0.1 >= 0.0005 }.map { "\($0.0) \(ReportChart.thousandths($0.1)) s" }
                        ReportChart.bar(
                            spent.map { ("s-" + $0.0.words[0], $0.1) }, of: longest,
                            label: label.isEmpty ? "no stage measured" : label.joined(separator: ", "), &html)
                    }
                    for (_, time) in spent { html.element("td", ["class": "number"], text: ReportChart.thousandths(time)) }
                }
            }
        }
    }
}

/// Charts without text. Their label and the table beside them give the numbers.
enum ReportChart {
    static let stages: [(name: String, time: any KeyPath<SSHStageTimings.Seconds, Double> & Sendable)] = [
        ("resolve", \.resolve), ("connect", \.connect), ("banner", \.banner), ("key exchange", \.keyExchange),
        ("authentication", \.authentication), ("channel", \.channel), ("command", \.command),
    ]

    /// Adds one bar with several parts.
    static func bar(_ parts: [(name: String, size: Double)], of whole: Double, label: String, _ html: inout Markup) {
        html.element(
            "svg",
            ["class": "bar", "role": "img", "aria-label": label, "viewBox": "0 0 1000 10", "preserveAspectRatio": "none"]
        ) { html in
            var begin = 0.0
            for (name, size) in parts where size > 0 {
                // Every part that is not zero is visible, however small.
                let width = min(max(size / whole * 1000, 4), 1000 - begin)
                html.empty(
                    "rect", ["class": name, "x": tenths(begin), "y": "0", "width": tenths(width), "height": "10"])
                begin += width
            }
        }
    }

    /// Adds columns side by side; hosts that are not ok are at the bottom.
    static func columns(_ columns: [(ok: Int, bad: Int)], most: Int, label: String, _ html: inout Markup) {
        html.element(
            "svg",
            [
                "class": "columns", "role": "img", "aria-label": label, "viewBox": "0 0 \(columns.count * 10) 100",
                "preserveAspectRatio": "none",
            ]
        ) { html in
            for (index, column) in columns.enumerated() where column.ok + column.bad > 0 {
                var top = 100.0
                for (name, count) in [("bad", column.bad), ("ok", column.ok)] where count > 0 {
                    let height = max(Double(count) / Double(most) * 100, 4)
                    top = max(0, top - height)
                    html.empty(
                        "rect", ["class": name, "x": "\(index * 10)", "y": tenths(top), "width": "9", "height": tenths(height)])
                }
            }
        }
    }

    /// Counts the hosts that ended in each time interval.
    static func ends(_ hosts: [FleetReport.Host], bins: Int, until end: Double) -> [(ok: Int, bad: Int)] {
        var counts = Array(repeating: (ok: 0, bad: 0), count: bins)
        for host in hosts {
            let bin = min(bins - 1, max(0, Int((host.began + host.duration) / end * Double(bins))))
            if host.outcome == .ok { counts[bin].ok += 1 } else { counts[bin].bad += 1 }
        }
        return counts
    }

    /// The lower bounds of a histogram's rows. The steps are even, or 1, 2, 5, 10 … if the longest time is far from the shortest.
    ///
    /// - Parameter times: the times in ascending order, at least one.
    static func bounds(_ times: [Double]) -> [Double] {
        let (first, last) = (times.first ?? 0, times.last ?? 0)
        let steps = (-3...6).flatMap { power in [1.0, 2, 5].map { $0 * power10(power) } }
        if last > 20 * max(first, 0.001) {
            let begin = steps.lastIndex { $0 <= first }
            let end = steps.lastIndex { $0 <= last } ?? 0
            return (begin.map { Array(steps[$0...max($0, end)]) } ?? [0] + steps[...end])
        }
        let step = steps.first { (last - first) / $0 <= 12 } ?? 1_000_000
        let begin = (first / step).rounded(.down)
        return (0...Int(((last / step).rounded(.down) - begin))).map { (begin + Double($0)) * step }
    }

    private static func power10(_ power: Int) -> Double {
        (0..<abs(power)).reduce(1.0) { value, _ in power < 0 ? value / 10 : value * 10 }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }

    /// `0.042`.
    static func thousandths(_ seconds: Double) -> String {
        let count = Int((min(max(0, seconds), 1e9) * 1000).rounded())
        let rest = String(count % 1000)
        return "\(count / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    /// `42 ms`, `3.2 s`.
    static func precise(_ seconds: Double) -> String {
        seconds < 1 ? "\(Int((seconds * 1000).rounded())) ms" : Formatted.time(seconds)
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
