import BridgeSSHFleet
import FleetOutput
import FleetSamples
import Testing

@Suite("Output as differences")
struct DiffRendererTests {
    private func shown(_ results: [FleetHostResult]) throws -> (output: String, error: String) {
        let renderer = FoldRenderer(OutputForm(), OutputStore(memory: 1 << 20), comparing: true, folded: SampleRun.joined)
        return try Rendering.of(renderer, results.map { .ended($0) } + [.summary(SampleRun.summary(results))])
    }

    @Test("the most common output is shown whole, the others as differences from it")
    func differences() throws {
        let results = [
            SampleRun.result("a", output: "x\ny\n"), SampleRun.result("b", output: "x\nz\n"),
            SampleRun.result("c", output: "x\nz\n"),
        ]
        #expect(
            try shown(results).output
                == "── b,c (2) · ok\nx\nz\n── a (1) · ok · 1 line differs\n@@ -1,2 +1,2 @@\n x\n-z\n+y\n")
    }

    @Test("equal output with another status is reported as the same")
    func same() throws {
        let results = [
            SampleRun.result("a", output: "x\n"), SampleRun.result("b", output: "x\n"),
            SampleRun.result("c", .failed, status: 2, output: "x\n"),
        ]
        #expect(try shown(results).output == "── a,b (2) · ok\nx\n── c (1) · exit status 2 · same\n")
    }

    @Test("an output with too many differences is shown whole")
    func tooDifferent() throws {
        let one = (0..<1000).map { "a\($0)\n" }.joined()
        let other = (0..<1000).map { "b\($0)\n" }.joined()
        let text = try shown([SampleRun.result("a", output: one), SampleRun.result("b", output: other)]).output
        #expect(text == "── a (1) · ok\n\(one)── b (1) · ok · differs too much, whole\n\(other)")
    }

    @Test("standard error is compared with standard error")
    func standardError() throws {
        let results = [
            SampleRun.result("a", output: "x\n", error: "warning\n"), SampleRun.result("b", output: "x\n"),
        ]
        #expect(
            try shown(results).error
                == "── a (1) · ok\nwarning\n── b (1) · ok · standard error: 1 line differs\n@@ -1 +0,0 @@\n-warning\n")
    }
}
