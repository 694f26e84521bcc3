import FleetOutput
import Testing

@Suite("Output modes")
struct OutputModesTests {
    @Test("modes by name, each once; live by default")
    func modes() throws {
        #expect(try OutputModes(nil).modes == [.live])
        #expect(try OutputModes(nil, isFolded: true).modes == [.fold])
        #expect(try OutputModes("fold", isFolded: true).modes == [.fold])
        #expect(try OutputModes("live,diff,files=out/r,live").modes == [.live, .diff, .files("out/r")])
        #expect(try OutputModes("jsonl,files=r").modes == [.jsonl, .files("r")])
    }

    @Test(
        "an invalid mode says why",
        arguments: [
            ("", "\"\" is not an output mode"), ("live,", "\"\" is not an output mode"),
            ("Live", "\"Live\" is not an output mode"),
            ("files=", "files= needs a directory"), ("files", "\"files\" is not an output mode"),
            ("jsonl,live", "jsonl and live cannot both"), ("fold,jsonl", "jsonl and fold cannot both"),
            ("quiet,live", "quiet shows no output, and live does"), ("quiet,jsonl", "quiet shows no output, and jsonl does"),
        ])
    func problems(text: String, problem: String) {
        let found = #expect(throws: OutputModes.Problem.self) { try OutputModes(text) }
        #expect(found?.text.hasPrefix(problem) == true)
    }
}
