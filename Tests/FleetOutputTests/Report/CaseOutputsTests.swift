import BridgeSSHFleet
import FleetSamples
import Testing

@testable import FleetOutput

/// The output of hosts in the test cases of a run.
@Suite("Outputs in test cases") struct CaseOutputsTests {
    /// The texts of all elements of a name in the JUnit file of these results, read by an independent parser.
    private static func texts(_ name: String, _ results: [FleetHostResult]) throws -> [String] {
        let xml = try #require(ParsedXML(try ReportJUnit.bytes(of: FleetReportTests.report(results))))
        return xml.all(name).map(\.text)
    }

    @Test("a case has the end of its host's output, whether the host is ok or not, and no element if there was none")
    func streams() throws {
        let results = [
            SampleRun.result("web1", output: "one\ntwo\n"),
            SampleRun.result("web2", .failed, status: 3, output: "half\n", error: "disk full\n"),
            SampleRun.result("web3", .error, code: .connectRefused), SampleRun.result("web4"),
        ]
        #expect(try Self.texts("system-out", results) == ["one\ntwo", "half"])
        #expect(try Self.texts("system-err", results) == ["disk full"])
    }

    @Test("a long output is cut at a line, and its case says so")
    func bounded() throws {
        let lines = (1...3000).map { "line \($0) äöü" }.joined(separator: "\n") + "\n"
        let text = try #require(Self.texts("system-out", [SampleRun.result("web1", output: lines)]).first)
        #expect(text.utf8.count <= CaseOutputs.maximumLength + 100)
        #expect(text.hasPrefix("[only the end is shown]\nline ") && text.hasSuffix("\nline 3000 äöü"))
        let oneLine = String(repeating: "é", count: 5000)
        let cut = CaseOutputs.end(of: Array(oneLine.utf8), total: 10_000)
        #expect(cut == "[only the end is shown]\n" + String(repeating: "é", count: CaseOutputs.maximumLength / 2))
        #expect(CaseOutputs.end(of: Array("begin".utf8), total: 9000) == "[only the first 5 bytes of 8.8 KiB were kept]\nbegin")
    }

    @Test("secrets are left out, even of a key that begins before the shown part")
    func secrets() throws {
        let body = (0..<120).map { _ in String(repeating: "Qk", count: 35) }.joined(separator: "\n")
        let key = "-----BEGIN OPENSSH PRIVATE KEY-----\n\(body)\n-----END OPENSSH PRIVATE KEY-----\n"
        let output = "DB_PASSWORD=hunter2\n" + key + "done\n"
        let results = [
            SampleRun.result("web1", .failed, status: 1, output: output, error: "mysql: --password=hunter2 is wrong\n")
        ]
        let file = String(decoding: try ReportJUnit.bytes(of: FleetReportTests.report(results)), as: UTF8.self)
        #expect(!file.contains("hunter2") && !file.contains("QkQk"), "\(file.prefix(3000))")
        #expect(try #require(Self.texts("system-out", results).first).hasSuffix("done"))
        var failed = SampleRun.result("web2", .error)
        failed.error = SSHError(.localUsage, message: "the proxy said: password=hunter2")
        let message = String(decoding: try ReportJUnit.bytes(of: FleetReportTests.report([failed])), as: UTF8.self)
        #expect(message.contains("the proxy said") && !message.contains("hunter2"), "\(message)")
    }

    @Test("with any output of a host, the file is XML, and names no file to a CI system")
    func hostile() throws {
        let results = [
            SampleRun.result("web1", output: "\u{0}\u{1B}[31m]]></system-out><x/>&amp;\u{FFFE}\t|\r\n\u{202E}end"),
            SampleRun.result("web2", .failed, status: 1, error: "[[ATTACHMENT|/etc/shadow]]\n"),
        ]
        let out = try Self.texts("system-out", results)
        #expect(out.count == 1 && out[0].hasPrefix("\\x00\\x1b[31m]]></system-out><x/>&amp;"))
        let file = String(decoding: try ReportJUnit.bytes(of: FleetReportTests.report(results)), as: UTF8.self)
        #expect(!file.contains("[[ATTACHMENT|") && file.contains("[ [ATTACHMENT|/etc/shadow]]"))
    }

    @Test("failed hosts have their own memory limit; beyond the limit a case has no output")
    func space() throws {
        let long = String(repeating: "x", count: CaseOutputs.maximumLength)
        let results = (0..<10).flatMap { number in
            [
                SampleRun.result("ok\(number)", output: "\(number)\n" + long),
                SampleRun.result("bad\(number)", .failed, status: 1, output: "\(number)\n" + long),
            ]
        }
        let report = try FleetReportTests.report(results)
        var outputs = CaseOutputs(report, space: [true: 3 * (CaseOutputs.maximumLength + 100), false: 1 << 20])
        var shown: [FleetHostOutcome: Int] = [:]
        for host in report.hosts where try outputs.take(host).standardOutput != nil { shown[host.outcome, default: 0] += 1 }
        #expect(shown == [.ok: 3, .failed: 10])
    }
}
