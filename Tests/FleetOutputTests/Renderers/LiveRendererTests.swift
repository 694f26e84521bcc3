import BridgeSSHFleet
import FleetOutput
import FleetSamples
import Testing

@Suite("Live output")
struct LiveRendererTests {
    @Test("every line follows its host's name, and a line in pieces is joined")
    func lines() throws {
        let shown = try Rendering.of(
            LiveRenderer(OutputForm()),
            [
                SampleRun.output("a", "one\ntw"), SampleRun.output("b", "x\n"), SampleRun.output("a", "o\n"),
                SampleRun.output("a", "problem\n", .standardError),
            ])
        #expect(shown.output == "a: one\nb: x\na: two\n")
        #expect(shown.error == "a: problem\n")
    }

    @Test("a last line without a line feed is shown when its host ends, and never mixes with another's")
    func unfinished() throws {
        let shown = try Rendering.of(
            LiveRenderer(OutputForm()),
            [SampleRun.output("a", "half"), SampleRun.output("b", "other\n"), SampleRun.ended("a"), SampleRun.ended("b")])
        #expect(shown.output == "b: other\na: half\n")
    }

    @Test("a line without end is cut into pieces between characters, which together are the line")
    func endless() throws {
        let line = String(repeating: "é", count: 20_000)
        let events = Array(line.utf8).chunks(of: 777).map { FleetEvent.output(host: "a", stream: .standardOutput, bytes: $0) }
        let shown = try Rendering.of(LiveRenderer(OutputForm()), events + [SampleRun.ended("a")])
        let lines = shown.output.split(separator: "\n")
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.utf8.count <= 8192 + 3 })
        #expect(lines.first?.hasPrefix("a: ") == true)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("a+ ") })
        #expect(lines.map { $0.dropFirst(3) }.joined() == line)
    }

    @Test("the unfinished lines of all hosts take bounded memory")
    func memory() throws {
        var renderer = LiveRenderer(OutputForm())
        var shown = 0
        for host in 0..<2000 {
            var pieces: [RenderedPiece] = []
            renderer.take(SampleRun.output("h\(host)", String(repeating: "x", count: 8000)), &pieces)
            shown += try pieces.reduce(0) { $0 + (try $1.make().count) }
        }
        // 16 MB arrive, and at most 4 MiB are held.
        #expect(shown > 11_000_000)
    }

    @Test("control sequences, tabs and bytes that are not UTF-8 are escaped at a terminal")
    func terminal() throws {
        let bytes = Array("\u{1B}[2Jred\ta\u{202E}b ".utf8) + [0xFF, 0xC3, 0x28, 0x9B] + Array("\r\n".utf8)
        let shown = try Rendering.of(
            LiveRenderer(Rendering.terminal), [.output(host: "a", stream: .standardOutput, bytes: bytes)])
        #expect(shown.output == "a: \\x1b[2Jred      a\\u{202e}b \\xff\\xc3(\\x9b\n")
    }

    @Test("bytes go into a pipe unchanged")
    func pipe() throws {
        let bytes = Array("\u{1B}[2J\t".utf8) + [0xFF, 0x00, 0x0D, 0x0A]
        let shown = try Rendering.bytes(
            of: LiveRenderer(OutputForm()), [.output(host: "a", stream: .standardOutput, bytes: bytes)])
        #expect(shown.output == Array("a: ".utf8) + bytes)
    }

    @Test("a host's name cannot forge another host's line")
    func hostileName() throws {
        let shown = try Rendering.of(LiveRenderer(OutputForm()), [SampleRun.output("a\nb: \u{1B}[31m", "x\n")])
        #expect(shown.output == "a b: \\x1b[31m: x\n")
    }

    @Test("a host has the same colour in every run")
    func color() throws {
        var form = Rendering.terminal
        form.color = true
        let shown = try Rendering.of(LiveRenderer(form), [SampleRun.output("web1", "x\n"), SampleRun.output("web2", "x\n")])
        #expect(shown.output == "\u{1B}[34mweb1:\u{1B}[0m x\n\u{1B}[92mweb2:\u{1B}[0m x\n")
    }
}

extension [UInt8] {
    fileprivate func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
