import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

@Suite("Kept runs")
struct RunHistoryTests {
    private let day: Int64 = 86_400_000
    private let now: Int64 = 1_795_399_832_123

    @Test("a run's name is its time, and sorts by it")
    func names() {
        let name = RunName.make(at: now)
        #expect(name.hasPrefix("20261123-021032-123"))
        #expect(RunName.time(of: name) == now)
        for other in ["", "last", "20261123-021032-123", "20261123-021032-123AB.", "2026x123-021032-123abc"] {
            #expect(RunName.time(of: other) == nil)
        }
    }

    @Test("names before 1970 and after 2262 sort too", arguments: [-1, -877, -86_400_001, -2_000_000_000_123, 9_300_000_000_123])
    func farTimes(_ time: Int64) {
        let name = RunName.make(at: time)
        #expect(RunName.time(of: name) == time, "\(name)")
        #expect(RunName.make(at: time - 1) < name && RunName.make(at: time + 1) > name)
    }

    @Test("the last run is the one that started last, even if the clock was set back")
    func clock() async throws {
        for jump in [3_600_000, 30 * 365 * day] {
            try await JournalFixture.with { directory in
                let ahead = now + jump
                _ = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory, now: { ahead })
                let last = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory, now: { now })
                let history = RunHistory(directory)
                #expect(try history.path(of: "last") == last.path)
                #expect(try history.names().count == 2)
                // A removed run is not the last one.
                try FileManager.default.removeItem(atPath: last.path)
                #expect(try history.path(of: "last") != last.path)
            }
        }
    }

    @Test(
        "whatever time the clock shows, a run gets a name, is found by it, and can be resumed",
        arguments: [
            Int64.min, -99_999_999_999_999, -62_135_596_800_001, -1, 0, 1, 9_223_372_036_855, 9_300_000_000_001,
            253_402_300_799_999,
            253_402_300_800_000, .max,
        ])
    func anyClock(now: Int64) async throws {
        try await JournalFixture.with { directory in
            let name: String
            do {
                let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a", "b"], in: directory, now: { now })
                try await journal.arm("a")
                try await journal.record(SampleRun.result("a"))
                name = journal.name
                // The same time is used as often as the same name may be generated.
                _ = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory, now: { now })
            }
            #expect(name.utf8.count == 22 && RunName.time(of: name) != nil, "\(name)")
            #expect(FleetTimestamp.text(now).utf8.count == 24, "\(FleetTimestamp.text(now))")
            let history = RunHistory(directory)
            #expect(try history.names().count == 2)
            let resumed = try SQLiteJournal.resume(history.path(of: name), now: { now })
            try await resumed.arm("b")
            try await resumed.record(SampleRun.result("b"))
            try await resumed.finish(SampleRun.summary([]))
            let reader = try JournalReader(history.path(of: name))
            #expect(try reader.info().startedAt == now && reader.outcomes()[.ok] == 2)
            _ = try history.prune(at: now)
        }
    }

    @Test("how times are shown")
    func times() {
        #expect(FleetTimestamp.text(-1) == "1969-12-31T23:59:59.999Z")
        #expect(FleetTimestamp.text(9_223_372_036_855) == "2262-04-11T23:47:16.855Z")
        #expect(FleetTimestamp.text(.max) == "9999-12-31T23:59:59.999Z")
        #expect(FleetTimestamp.name(-62_167_219_200_000) == "00000101-000000-000")
    }

    @Test("a run is resumed although the clock was set back since")
    func resumed() async throws {
        try await JournalFixture.with { directory in
            let path = try await SampleRun.interrupted(in: directory)
            let journal = try SQLiteJournal.resume(path, now: { 1 })
            try await journal.arm("none")
            try await journal.record(SampleRun.result("none"))
            try await journal.finish(SampleRun.summary([]))
            let reader = try JournalReader(path)
            #expect(try reader.records().first { $0.host == "none" }?.outcome == .ok)
            var ended = 0
            try reader.results { result in
                ended += 1
                #expect(result.duration >= .zero && result.beganAt >= .zero)
            }
            #expect(ended == 6)
        }
    }

    @Test("runs are kept for 30 days or 100 runs, whichever is more")
    func expiry() {
        func names(_ count: Int, every step: Int64) -> [String] { (0..<count).map { RunName.make(at: now - Int64($0) * step) } }
        #expect(RunHistory.expired(names(500, every: 60_000), at: now) == [])
        #expect(RunHistory.expired(names(100, every: 10 * day), at: now) == [])
        #expect(RunHistory.expired(names(103, every: 10 * day), at: now).count == 3)
        #expect(RunHistory.expired(names(200, every: day / 4), at: now).count == 200 - 121)
        #expect(
            RunHistory.expired(names(103, every: 10 * day).shuffled(), at: now).allSatisfy {
                $0 < RunName.make(at: now - 995 * day)
            })
    }

    @Test("expired runs are removed with all their files; other files, and runs in use, stay")
    func prune() async throws {
        try await JournalFixture.with { directory in
            let old = now - 40 * day
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory, now: { old })
            let foreign = directory.path + "/" + RunName.make(at: old - 1) + ".sqlite"
            try Data("other".utf8).write(to: URL(fileURLWithPath: foreign))
            let history = RunHistory(directory)
            for count in 0..<100 {
                try Data().write(to: URL(fileURLWithPath: directory.database(RunName.make(at: now - Int64(count)))))
            }
            #expect(try history.prune(at: now) == [])
            let name = journal.name
            let path = journal.path
            try await journal.finish(SampleRun.summary([]))
            #expect(try history.prune(at: now) == [name])
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(FileManager.default.fileExists(atPath: foreign))
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix(name) } == [])
        }
    }

    @Test("the next run removes what an interrupted creation of a journal left")
    func unfinished() async throws {
        try await JournalFixture.with { directory in
            try directory.prepare()
            let name = RunName.make(at: now)
            for suffix in [".sqlite.new", ".sqlite.new-journal", ".lock"] {
                try Data("SQLite".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/\(name)\(suffix)"))
            }
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
            let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(left.filter { $0.hasPrefix(name) } == [])
            let names = try RunHistory(directory).names()
            #expect(names == [journal.name])
        }
    }

    @Test("a run is found by its name, by the start of its name, as `last`, and by its path")
    func find() throws {
        try ScratchSync.with { scratch in
            let directory = JournalDirectory(scratch)
            let names = ["20260101-000000-000aaa", "20260101-000000-001bbb", "20260202-000000-000ccc"]
            for name in names + ["notes"] { try Data().write(to: URL(fileURLWithPath: directory.database(name))) }
            let history = RunHistory(directory)
            #expect(try history.names() == names.reversed())
            #expect(try history.path(of: "last") == directory.database(names[2]))
            #expect(try history.path(of: "202602") == directory.database(names[2]))
            #expect(try history.path(of: names[0]) == directory.database(names[0]))
            #expect(try history.path(of: "/x/y.sqlite") == "/x/y.sqlite")
            #expect(
                JournalFixture.problem { _ = try history.path(of: "202601") }?.text.contains("2 runs begin with 202601") == true)
            #expect(JournalFixture.problem { _ = try history.path(of: "1999") }?.text.contains("there is no run 1999") == true)
        }
    }

    @Test("an earlier run's hosts are selected by outcome and by code")
    func selectors() async throws {
        try await JournalFixture.with { directory in
            _ = try await SampleRun.interrupted(in: directory)
            let history = RunHistory(directory)
            func hosts(_ selector: String) throws -> [String] {
                try history.hosts(of: "last", try #require(RunSelector(selector)))
            }
            #expect(try hosts("ok") == ["ok"])
            #expect(try hosts("failed") == ["failed"])
            #expect(try hosts("error") == ["error"])
            #expect(try hosts("unknown") == ["unknown", "armed"])
            #expect(try hosts("skipped") == ["skipped", "none"])
            #expect(try hosts("ssh.auth.key-rejected") == ["error"])
            #expect(try hosts("ssh.auth.*") == ["error"])
            #expect(try hosts("ssh.connect.refused") == [])
            #expect(RunSelector("lost") == nil)
        }
    }

    @Test("a run is active while a process holds its journal")
    func underWay() async throws {
        try await JournalFixture.with { directory in
            let history = RunHistory(directory)
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
            #expect(history.isUnderWay(journal.name))
            try await journal.finish(SampleRun.summary([]))
            #expect(!history.isUnderWay(journal.name))
        }
    }

    @Test("without any run")
    func empty() async throws {
        try await JournalFixture.with { directory in
            let names = try RunHistory(directory).names()
            #expect(names == [])
            #expect(JournalFixture.problem { _ = try RunHistory(directory).path(of: "last") }?.kind == .missing)
        }
    }
}

private enum ScratchSync {
    static func with(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "/fleet-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }
}
