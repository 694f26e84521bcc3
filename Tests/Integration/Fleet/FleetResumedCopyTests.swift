import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet copy` and `fetch`, killed between two files of a host and resumed, on a real sshd.
@Suite("Fleet copy resumed") struct FleetResumedCopyTests {
    private static let large = String(repeating: "0123456789abcdef", count: 1_500_000)
    /// This much of the second file passes: more than the channel's window and the requests in flight, so all answers about the
    /// first file have arrived.
    private static let passing = 20_000_000

    /// Whether a whole frame that commits follows the name in a write-ahead log of SQLite. Without one, the process's end takes the
    /// record back. Source: the file format of SQLite, section 4.1.
    private static func isCommitted(_ name: Data, in log: Data) -> Bool {
        func number(at place: Int) -> Int { log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard log.count >= 32, let found = log.range(of: name) else { return false }
        let frame = 24 + number(at: 8)
        let starts = stride(from: 32, through: log.count - frame, by: frame)
        return starts.contains { $0 + frame > found.lowerBound && number(at: $0 + 4) > 0 }
    }

    /// Ends the process when the journal has the first file and the second one is on its way.
    private func kill(_ process: RunningProcess, in fixture: FleetFixture, _ directory: URL) async throws {
        try await FleetFixture.waitForPartial(in: directory)
        let runs = fixture.runs
        let name = Data("first-file".utf8)
        while true {
            let logs = (try? FileManager.default.contentsOfDirectory(atPath: runs.path))?.filter { $0.hasSuffix(".sqlite-wal") }
            let isThere = logs?.contains {
                (try? Data(contentsOf: runs.appendingPathComponent($0))).map { Self.isCommitted(name, in: $0) } ?? false
            }
            if isThere == true { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.send(signal: SIGKILL)
    }

    @Test("copy: only the second file is sent again, and the first if it is no longer complete", arguments: [true, false])
    func copy(isWhole: Bool) async throws {
        try await ScratchDirectory.with { scratch in
            try FileManager.default.createDirectory(atPath: scratch.path("site"), withIntermediateDirectories: true)
            _ = try scratch.write("small\n", to: "site/first-file")
            _ = try scratch.write(Self.large, to: "site/second")
            try await FleetFixture.withHomes { fixture in
                let fault = FaultProxy.Fault(.stall, after: Self.passing, from: .client)
                try await FaultProxy.run(to: fixture.box.port, fault: fault, onFirst: 1) { proxy in
                    try await fixture.add("stalled1", of: 1, through: proxy)
                    let box = fixture
                    let begun = try await fixture.fleet(
                        ["copy", "-r", "--mkpath", "--output", "quiet", scratch.path("site"), "stalled1:in"]
                    ) { process in try await kill(process, in: box, box.home(1, "in/site")) }
                    #expect(begun.termination == .signalled(SIGKILL), "\(begun.errorOutput)")
                    let first = fixture.home(1, "in/site/first-file")
                    if !isWhole { try Data("other".utf8).write(to: first) }
                    let before = try FileFacts(first)
                    let resumed = try await fixture.program(["resume", "--output", "jsonl", "last"])
                    #expect(resumed.exitStatus == 0, "\(resumed.errorOutput)")
                    #expect(first.text == "small\n" && fixture.home(1, "in/site/second").text == Self.large)
                    #expect((try FileFacts(first).inode == before.inode) == isWhole)
                    let object = try FleetLines(resumed).ends["stalled1"]?.first?["result"]
                    #expect(object?["resumedBytes"] == .integer(isWhole ? 6 : 0), "\(resumed.output)")
                }
            }
        }
    }

    @Test("fetch: only the second file is fetched again")
    func fetch() async throws {
        try await ScratchDirectory.with { scratch in
            try await FleetFixture.withHomes { fixture in
                try fixture.put("small\n", "out/first-file", at: 1)
                try fixture.put(Self.large, "out/second", at: 1)
                let fault = FaultProxy.Fault(.stall, after: Self.passing, from: .server)
                try await FaultProxy.run(to: fixture.box.port, fault: fault, onFirst: 1) { proxy in
                    try await fixture.add("stalled1", of: 1, through: proxy)
                    let box = fixture
                    let place = scratch.url.appendingPathComponent("got/stalled1/out")
                    let begun = try await fixture.fleet(
                        ["fetch", "-r", "--output", "quiet", "stalled1:out", scratch.path("got")]
                    ) { process in try await kill(process, in: box, place) }
                    #expect(begun.termination == .signalled(SIGKILL), "\(begun.errorOutput)")
                    let first = place.appendingPathComponent("first-file")
                    let before = try FileFacts(first)
                    let resumed = try await fixture.program(["resume", "--output", "jsonl", "last"])
                    #expect(resumed.exitStatus == 0, "\(resumed.errorOutput)")
                    #expect(first.text == "small\n" && place.appendingPathComponent("second").text == Self.large)
                    #expect(try FileFacts(first).inode == before.inode)
                }
            }
        }
    }
}
