import FleetOutput
import Testing

@Suite("Keys during a run") struct RunningListTests {
    @Test("keys and their requests") func keys() {
        #expect("\r\n+=-?".utf8.map { RunKey($0) } == [.list, .list, .more, .more, .fewer, .help])
        for byte in UInt8.min...255 where !"\r\n+=-?".utf8.contains(byte) { #expect(RunKey(byte) == nil) }
    }

    @Test("the slowest hosts come first, as many as fit the screen") func list() {
        let running = (1...10).map { (host: "h\($0)", duration: Duration.seconds(100 - $0 * 9)) }
        let whole = RunningList.text(running, parallel: 16, rows: 24, width: 80).split(separator: "\n")
        #expect(whole.count == 11 && whole[0] == "10 running, at most 16 at once")
        #expect(whole[1] == "  1 min 31 s  h1" && whole[10] == "        10 s  h10")
        let short = RunningList.text(running, parallel: 16, rows: 7, width: 80).split(separator: "\n")
        #expect(short.count == 6 && short[4].hasSuffix("h4") && short[5] == "  and 6 more")
        let narrow = RunningList.text(
            [("a\u{1B}[2J" + String(repeating: "x", count: 50), .zero)], parallel: 1, rows: 2, width: 20)
        #expect(!narrow.contains("\u{1B}") && narrow.split(separator: "\n").allSatisfy { $0.count < 40 })
        #expect(RunningList.text([], parallel: 8, rows: 24, width: 80) == "0 running, at most 8 at once\n")
    }
}
