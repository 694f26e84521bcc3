import BridgeSSHFleet
import ErrorCore
import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import FleetOutput

/// The reports of a run: page, test cases, object, text.
@Suite("Fleet reports") struct FleetReportTests {
    static func report(_ results: [FleetHostResult], hosts: [String]? = nil) throws -> FleetReport {
        var run = FleetReport.Run(
            name: "20261123-021000-000abc", kind: "run", command: "uptime <now>", startedAt: 1_763_863_800_000)
        run.duration = .seconds(3)
        run.exitStatus = 1
        run.reference = RunReference(run: run.name, option: "")
        var report = FleetReport(
            run, hosts: hosts ?? results.map(\.host), memory: 1 << 20, spillDirectory: "/tmp", folded: SampleRun.joined)
        for result in results { try report.add(result) }
        return report
    }

    private static let mixed = [
        SampleRun.result("web1", output: "up\n"), SampleRun.result("web2", output: "up\n"),
        SampleRun.result("web3", .failed, status: 3, error: "</pre><script>x</script>\n"),
        SampleRun.result("web4", .error, code: .connectRefused), SampleRun.result("web5", .error, code: .connectRefused),
        SampleRun.result("web6", .unknown, code: .sessionConnectionLost), SampleRun.result("<img src=x>", .skipped),
    ]

    @Test("the page begins with the failures, then shows each cause once with its remedy and hosts")
    func page() throws {
        let page = String(decoding: try ReportPage.bytes(of: Self.report(Self.mixed)), as: UTF8.self)
        let sentence =
            "5 of 7 hosts are not ok: the command failed on 1, did not run on 2, may have run on 1 and was never tried on 1."
        let order = [
            sentence, "What failed, by cause", "2 hosts: Connection Refused", "Where the time went", "What hosts wrote",
            "Every host", "The run",
        ].map { page.range(of: $0)?.lowerBound }
        #expect(!order.contains(nil), "\(order)")
        #expect(order.compactMap(\.self) == order.compactMap(\.self).sorted())
        #expect(page.components(separatedBy: "ssh -ltn").count <= 2)
        #expect(page.contains("<code>web4,web5</code>"))
        #expect(page.contains("bridge-ssh fleet resume 20261123-021000-000abc"))
        #expect(!page.contains("<script") && !page.contains("<img"))
    }

    @Test("a cause shows the most common last lines of its hosts")
    func lastWords() throws {
        let reason = (1...40).map { "line \($0)" }.joined(separator: "\n") + "\n<disk> full\n"
        var results = (1...3).map { SampleRun.result("web\($0)", .failed, status: 3, output: "begun\n", error: reason) }
        results.append(SampleRun.result("web4", .failed, status: 3, output: "begun\n", error: "other\n"))
        results.append(SampleRun.result("web5", .failed, status: 4, output: "only this\n"))
        let page = String(decoding: try ReportPage.bytes(of: Self.report(results)), as: UTF8.self)
        let causes = try #require(page.components(separatedBy: "What failed, by cause").last).components(separatedBy: "<h2")[0]
        #expect(causes.contains("3 of them wrote at last, on standard error:"))
        #expect(causes.contains("line 34\nline 35\n") && causes.contains("\nline 40\n&lt;disk&gt; full</pre>"))
        #expect(!causes.contains("line 33") && !causes.contains("other</pre>"))
        #expect(causes.contains("It wrote at last, on standard output:") && causes.contains("only this</pre>"))
    }

    @Test("a few hosts get a row each, many hosts a chart")
    func fewHosts() throws {
        func page(_ count: Int) throws -> String {
            let results = (0..<count).map { SampleRun.result("h\($0)") }
            return String(decoding: try ReportPage.bytes(of: Self.report(results)), as: UTF8.self)
        }
        #expect(try !page(20).contains("half of them") && page(20).contains("How long each host took"))
        #expect(try page(21).contains("half of them") && page(21).contains("The slowest 20"))
    }

    @Test(
        "the table of all hosts is in parts that a browser lays out one by one, with each host once",
        arguments: [(1, 1), (250, 1), (251, 2), (600, 3)])
    func hostTables(hosts: Int, parts: Int) throws {
        let results = (0..<hosts).map { SampleRun.result("h\($0)") }
        let page = String(decoding: try ReportPage.bytes(of: Self.report(results)), as: UTF8.self)
        let tables = page.components(separatedBy: "aria-label=\"Every host").dropFirst()
        #expect(tables.count == parts)
        #expect(tables.allSatisfy { $0.hasPrefix("\"") } == (parts == 1))
        #expect((page.components(separatedBy: "class=\"scroll part\"").count - 1) == (parts > 1 ? parts : 0))
        let rows = tables.flatMap { $0.components(separatedBy: "<th scope=\"row\">").dropFirst() }
        #expect(rows.map { $0.prefix { $0 != "<" } } == results.map { $0.host[...] })
    }

    @Test("at a terminal, only folded names and whole commands are longer than a line of the text", arguments: [60, 80, 200])
    func textWidth(width: Int) throws {
        var run = FleetReport.Run(name: "20261123-021000-000abc", kind: "run", command: "uptime", startedAt: 1_763_863_800_000)
        run.reference = RunReference(run: run.name, option: " --journal /srv/deployments/journals-of-the-fleet")
        var form = OutputForm()
        (form.isErrorTerminal, form.width) = (true, width)
        let results = [
            SampleRun.result("db1", .error, code: .hostKeyUnknown),
            SampleRun.result("db2", .unknown, code: .sessionConnectionLost),
            SampleRun.result("db3", .failed, status: 1, error: "dd: error writing '/srv/data': No space left on device\n"),
            SampleRun.result("db4", .skipped), SampleRun.result("db5"),
        ]
        var report = FleetReport(
            run, hosts: results.map(\.host), form: form, memory: 1 << 20, spillDirectory: "/tmp", folded: SampleRun.joined)
        for result in results { try report.add(result) }
        let lines = report.text.split(separator: "\n")
        for line in lines where TerminalText.columns(line) > width {
            let text = line.drop { $0 == " " }
            #expect(text.hasPrefix("`bridge-ssh fleet ") && text.firstIndex(of: "`") == text.startIndex, "\(line)")
            #expect(text.dropFirst().firstIndex(of: "`") == text.indices.last, "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("✖ 1 host: ") })
        #expect(lines.contains { $0.contains("`bridge-ssh fleet hosts --journal /srv/deployments/journals-of-the-fleet @run:") })
    }

    @Test("a host's name in metrics has its backslashes and quotation marks escaped")
    func metrics() throws {
        let report = try Self.report([SampleRun.result(#"a\b"c"#), SampleRun.result("d", .error, code: .connectRefused)])
        let text = String(decoding: ReportMetrics.bytes(of: report), as: UTF8.self)
        #expect(text.contains(#"bridge_ssh_host_up{host="a\\b\"c",outcome="ok",code=""} 1"# + "\n"))
        #expect(text.contains(#"bridge_ssh_host_up{host="d",outcome="error",code="ssh.connect.refused"} 0"# + "\n"))
    }

    @Test("the page of a successful run says so, and lists no failure")
    func allOk() throws {
        let page = String(
            decoding: try ReportPage.bytes(of: Self.report([SampleRun.result("a"), SampleRun.result("b")])), as: UTF8.self)
        #expect(page.contains("All 2 hosts are ok."))
        #expect(!page.contains("What failed"))
    }

    @Test("the page of a run without hosts, or without started hosts, is complete")
    func empty() throws {
        for hosts in [[], ["a", "b"]] {
            let page = String(decoding: try ReportPage.bytes(of: Self.report([], hosts: hosts)), as: UTF8.self)
            #expect(page.hasSuffix("</html>\n"))
            #expect(!page.contains("Where the time went"))
        }
    }

    @Test("outputs are folded: the most common whole, others as differences, within bounds")
    func outputs() throws {
        let long = String(repeating: "the same line\n", count: 200)
        var results = (0..<500).map { SampleRun.result("h\($0)", output: long + "\($0)\n") }
        results += [SampleRun.result("x", output: long), SampleRun.result("y", output: long)]
        let bytes = try ReportPage.bytes(of: Self.report(results))
        let page = String(decoding: bytes, as: UTF8.self)
        #expect(page.components(separatedBy: long).count == 2)
        #expect(page.contains("1 line differs from the first"))
        #expect(page.contains("301 more outputs, of 301 hosts, are not on this page."))
        #expect(bytes.count < 1 << 20)
    }

    @Test(
        "every host is a test case: `failed` a failure, `error` and `unknown` an error, `skipped` skipped, with the code as type")
    func cases() throws {
        let xml = try #require(ParsedXML(ReportJUnit.bytes(of: Self.report(Self.mixed))))
        // The attributes that junit-10.xsd allows in the outermost element.
        let known: Set = ["name", "tests", "failures", "errors", "time"]
        #expect(try #require(xml.all("testsuites").first).attributes.keys.allSatisfy(known.contains))
        let suite = try #require(xml.all("testsuite").first)
        #expect(suite.attributes["tests"] == "7" && suite.attributes["failures"] == "1")
        #expect(suite.attributes["errors"] == "3" && suite.attributes["skipped"] == "1")
        #expect(suite.attributes["timestamp"]?.count == 19)
        #expect(xml.all("testcase").map { $0.attributes["name"] } == Self.mixed.map(\.host))
        #expect(xml.all("failure").map { $0.attributes["type"] } == ["ssh.command.exit-nonzero"])
        #expect(
            xml.all("error").map { $0.attributes["type"] }
                == ["ssh.connect.refused", "ssh.connect.refused", "ssh.session.connection-lost"])
        #expect(xml.all("skipped").count == 1)
    }

    @Test("a run whose process was killed: hosts that may have run are errors, and hosts not begun are skipped")
    func interrupted() async throws {
        try await ScratchDirectory.with { scratch in
            let path = try await SampleRun.interrupted(in: JournalDirectory(scratch.path("runs")))
            let reader = try JournalReader(path)
            let report = try reader.report(nil, memory: 1 << 20, spillDirectory: "/tmp", folded: SampleRun.joined)
            #expect(report.outcomes == [.ok: 1, .failed: 1, .error: 1, .unknown: 2, .skipped: 2])
            let xml = try #require(ParsedXML(ReportJUnit.bytes(of: report)))
            #expect(xml.all("testcase").count == 7 && xml.all("error").count == 3 && xml.all("skipped").count == 2)
            let page = String(decoding: try ReportPage.bytes(of: report), as: UTF8.self)
            #expect(page.contains("No end is known") && page.contains("interrupted"))
            #expect(report.text.contains("7 hosts in"))
            var bytes: [UInt8] = []
            try ReportJSON.write(report, from: reader) { bytes += $0 }
            let object = try JSON(parsing: Data(bytes))
            #expect(Set(object["hosts"]?.items.compactMap { $0["host"]?.text } ?? []).count == 7)
        }
    }

    @Test(
        "the rows of the histogram take every duration",
        arguments: [[0.0], [0.2, 0.21], [0.001, 90], [0, 0, 5000], [3, 3, 3], [0.15, 0.55]])
    func bounds(times: [Double]) {
        let bounds = ReportChart.bounds(times)
        #expect(bounds == bounds.sorted() && !bounds.isEmpty && bounds.count <= 32)
        #expect(bounds[0] <= times[0] + 1e-9)
    }
}
