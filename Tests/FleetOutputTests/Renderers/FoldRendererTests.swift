import BridgeSSHFleet
import FleetOutput
import FleetSamples
import Testing

@Suite("Folded output")
struct FoldRendererTests {
    private func folded(_ results: [FleetHostResult], _ form: OutputForm = OutputForm(), memory: Int = 1 << 20) throws -> (
        output: String, error: String
    ) {
        let renderer = FoldRenderer(form, OutputStore(memory: memory), folded: SampleRun.joined)
        return try Rendering.of(renderer, results.map { .ended($0) } + [.summary(SampleRun.summary(results))])
    }

    @Test("equal output is shown once, under all names, the most common first")
    func groups() throws {
        let shown = try folded([
            SampleRun.result("a", output: "6.1\n"), SampleRun.result("b", output: "6.2\n"),
            SampleRun.result("c", output: "6.2\n"),
        ])
        #expect(shown.output == "── b,c (2) · ok\n6.2\n── a (1) · ok\n6.1\n")
        #expect(shown.error == "")
    }

    @Test("equal output with another exit status is another group")
    func status() throws {
        let shown = try folded([
            SampleRun.result("a", output: "x"), SampleRun.result("b", .failed, status: 3, output: "x"), SampleRun.result("c"),
        ])
        #expect(shown.output == "── a (1) · ok\nx\n── b (1) · exit status 3\nx\n── c (1) · ok · no output\n")
    }

    @Test("standard error goes to standard error, with its own heading if that is another place")
    func standardError() throws {
        let results = [SampleRun.result("a", output: "out\n", error: "problem\n")]
        let apart = try folded(results)
        #expect(apart.output == "── a (1) · ok\nout\n")
        #expect(apart.error == "── a (1) · ok\nproblem\n")
        #expect(try folded(results, Rendering.terminal).error == "problem\n")
    }

    @Test("hosts on which nothing ran are not a group")
    func errors() throws {
        let shown = try folded([
            SampleRun.result("a", .error, code: .authKeyRejected), SampleRun.result("b", .skipped),
        ])
        #expect(shown.output == "")
    }

    @Test("outputs cut at the limit are equal only if their discarded parts are equal")
    func truncated() throws {
        func result(_ host: String, digest: UInt8) -> FleetHostResult {
            var result = SampleRun.result(host)
            result.standardOutput = FleetKeptOutput(
                bytes: Array("start".utf8), total: 5000, restDigest: Array(repeating: digest, count: 32))
            return result
        }
        let shown = try folded([result("a", digest: 1), result("b", digest: 2), result("c", digest: 1)])
        #expect(
            shown.output
                == "── a,c (2) · ok · first 5 bytes of 4.9 KiB\nstart\n── b (1) · ok · first 5 bytes of 4.9 KiB\nstart\n")
    }

    @Test("outputs that do not fit into memory are read back whole from disk")
    func spilled() throws {
        let results = (0..<50).map { SampleRun.result("h\($0)", output: String(repeating: "\($0),", count: 1000)) }
        let shown = try folded(results, memory: 10_000)
        for index in 0..<50 {
            #expect(shown.output.contains("── h\(index) (1) · ok\n\(String(repeating: "\(index),", count: 1000))\n"))
        }
    }

    @Test("all names of a group are shown, however many")
    func manyNames() throws {
        let results = (0..<5000).map { SampleRun.result("host-\($0 * 7)") }
        let names = results.map(\.host).joined(separator: ",")
        #expect(try folded(results).output == "── \(names) (5000) · ok · no output\n")
    }

    @Test("what hosts print is escaped at a terminal")
    func escaped() throws {
        let shown = try folded([SampleRun.result("a", output: "\u{1B}]0;title\u{7}\r\n")], Rendering.terminal)
        #expect(shown.output == "── a (1) · ok\n\\x1b]0;title\\x07\n")
    }
}
