import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

/// With a write-ahead log that is damaged, missing, outdated or another run's, an armed host is never begun again.
@Suite("Damaged logs of journals")
struct JournalLogTests {
    private static let frame = 4096 + 24
    private static let hosts = (0..<12).map { "host\($0)" }

    /// The files of a run that was killed after several hosts, and its files one commit earlier.
    private struct Killed {
        var now: [String: Data] = [:]
        var before: [String: Data] = [:]
        var armed: [String] = []
        let name: String

        private static func files(_ path: String) throws -> [String: Data] {
            var files: [String: Data] = [:]
            for (suffix, file) in [("", path), ("-wal", path + "-wal"), (".lock", JournalLock.path(path))] {
                files[suffix] = try Data(contentsOf: URL(fileURLWithPath: file))
            }
            return files
        }

        init(in directory: JournalDirectory) async throws {
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: JournalLogTests.hosts, in: directory)
            name = journal.name
            for host in JournalLogTests.hosts.prefix(5) {
                before = try Self.files(journal.path)
                try await journal.arm(host)
                armed.append(host)
                now = try Self.files(journal.path)
                if host == "host1" || host == "host2" { try await journal.record(SampleRun.result(host)) }
            }
            withExtendedLifetime(journal) {}
        }

        /// Writes the files, and resumes.
        ///
        /// - Returns: the hosts that would be run; nil if it is refused.
        func resumed(
            _ files: [String: Data], in scratch: ScratchDirectory, sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> (begin: [String]?, text: String) {
            let directory = JournalDirectory(scratch.path("\(UInt64.random(in: 0 ... .max))"))
            try directory.prepare()
            let path = directory.database(name)
            for (suffix, data) in files {
                let file = suffix == ".lock" ? JournalLock.path(path) : path + suffix
                try data.write(to: URL(fileURLWithPath: file))
            }
            do {
                do {
                    let reader = try JournalReader(path)
                    _ = try reader.info()
                } catch {
                    #expect(JournalFixture.problem { _ = try SQLiteJournal.resume(path) } != nil, sourceLocation: sourceLocation)
                    throw error
                }
                let journal = try SQLiteJournal.resume(path)
                let begin = ResumePlan(try JournalReader(path).records()).begin
                withExtendedLifetime(journal) {}
                return (begin, "")
            } catch let problem as JournalProblem {
                #expect(problem.text.contains(name), sourceLocation: sourceLocation)
                for (suffix, data) in files {
                    let file = suffix == ".lock" ? JournalLock.path(path) : path + suffix
                    #expect(
                        try Data(contentsOf: URL(fileURLWithPath: file)) == data, "\(suffix) was written to",
                        sourceLocation: sourceLocation)
                }
                return (nil, problem.text)
            }
        }
    }

    private func with(_ body: (Killed, ScratchDirectory) throws -> Void) async throws {
        try await ScratchDirectory.with { scratch in
            try body(try await Killed(in: JournalDirectory(scratch.path("runs"))), scratch)
        }
    }

    private static func flipped(_ data: Data, _ offset: Int, _ bit: UInt8 = 1) -> Data {
        var data = data
        data[offset] ^= bit
        return data
    }

    @Test("an intact run is resumed, and starts the hosts that were not armed")
    func untouched() async throws {
        try await with { killed, scratch in
            let found = try killed.resumed(killed.now, in: scratch)
            #expect(found.begin == Array(Self.hosts.dropFirst(5)), "\(found.text)")
        }
    }

    @Test("one bit, anywhere in its header and in the header and the page of each frame")
    func bits() async throws {
        try await with { killed, scratch in
            let log = try #require(killed.now["-wal"])
            var offsets = Array(0..<32)
            for frame in 0..<((log.count - 32) / Self.frame) {
                offsets += [0, 5, 9, 13, 17, 21, 24, 100, 4000].map { 32 + frame * Self.frame + $0 }
            }
            #expect(offsets.count > 100)
            for offset in offsets {
                var files = killed.now
                files["-wal"] = Self.flipped(log, offset, UInt8(1) << UInt8(offset % 8))
                let found = try killed.resumed(files, in: scratch)
                #expect(found.begin == nil, "bit at \(offset)")
            }
        }
    }

    @Test("a log cut at or within any frame, a log of zeros, another run's log, no log")
    func cuts() async throws {
        try await with { killed, scratch in
            let log = try #require(killed.now["-wal"])
            for end in stride(from: 0, to: log.count, by: Self.frame / 3 + 1) {
                var files = killed.now
                files["-wal"] = log.prefix(end)
                #expect(try killed.resumed(files, in: scratch).begin == nil, "cut at \(end)")
            }
            var files = killed.now
            files["-wal"] = Data(count: log.count)
            #expect(try killed.resumed(files, in: scratch).text.contains("the header of its log"))
            files["-wal"] = log.prefix(32)
            #expect(try killed.resumed(files, in: scratch).text.contains("ends early"))
            files["-wal"] = nil
            #expect(try killed.resumed(files, in: scratch).text.contains("-wal is missing"))
            files["-wal"] = killed.before["-wal"]
            #expect(try killed.resumed(files, in: scratch).begin == nil)
        }
        try await with { killed, scratch in
            let other = JournalDirectory(scratch.path("others"))
            let journal = try SQLiteJournal.create(RunSubject(command: "date"), hosts: Self.hosts, in: other)
            var files = killed.now
            files["-wal"] = try Data(contentsOf: URL(fileURLWithPath: journal.path + "-wal"))
            #expect(try killed.resumed(files, in: scratch).begin == nil)
            files = killed.now
            files[".lock"] = try Data(contentsOf: URL(fileURLWithPath: JournalLock.path(journal.path)))
            #expect(try killed.resumed(files, in: scratch).text.contains("is of the run \(journal.name)"))
            withExtendedLifetime(journal) {}
        }
    }

    @Test("an older copy of the database and its log, and a missing or damaged count of commits")
    func older() async throws {
        try await with { killed, scratch in
            var files = killed.before
            files[".lock"] = killed.now[".lock"]
            #expect(try killed.resumed(files, in: scratch).begin == nil)
            files = killed.now
            files[".lock"] = nil
            #expect(try killed.resumed(files, in: scratch).text.contains("is missing"))
            files[".lock"] = Data("nothing".utf8)
            #expect(try killed.resumed(files, in: scratch).text.contains("cannot be read"))
            // One place of the count is enough.
            for place in JournalMark.slots {
                files[".lock"] = Self.flipped(try #require(killed.now[".lock"]), place + 30)
                #expect(try killed.resumed(files, in: scratch).begin == Array(Self.hosts.dropFirst(5)))
            }
        }
    }

    @Test("a commit torn by a power cut is not damage: nothing was done because of it")
    func torn() async throws {
        try await with { killed, scratch in
            let log = try #require(killed.now["-wal"])
            let start = try #require(killed.before["-wal"]).count
            #expect(start < log.count)
            let begin = Array(Self.hosts.dropFirst(4))
            for end in [start, start + 10, start + 24, start + 2000, log.count - Self.frame, log.count - 1] {
                var files = killed.now
                files[".lock"] = killed.before[".lock"]
                files["-wal"] = log.prefix(end)
                #expect(try killed.resumed(files, in: scratch).begin == begin, "torn at \(end)")
                // Pages may be in any order: the first is missing, the others are there.
                files["-wal"] = log.prefix(start) + Data(count: 4120) + log.suffix(from: start + 4120)
                #expect(try killed.resumed(files, in: scratch).begin == begin)
            }
            // The commit is durable, and the count is not yet.
            var files = killed.now
            files[".lock"] = killed.before[".lock"]
            #expect(try killed.resumed(files, in: scratch).begin == Array(begin.dropFirst()))
        }
    }

    @Test("a log that was restarted over an older one")
    func restarted() async throws {
        try await ScratchDirectory.with { scratch in
            let hosts = (0..<3000).map { "host\($0)" }
            let directory = JournalDirectory(scratch.path("runs"))
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: hosts, in: directory)
            for host in hosts.prefix(1200) { try await journal.arm(host) }
            let copy = JournalDirectory(scratch.path("copy"))
            try copy.prepare()
            let path = copy.database(journal.name)
            try JournalFixture.copy(journal.path, to: path)
            let log = try WriteAheadLog(of: path, pageSize: 4096)
            let size = try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count
            // Several logs were written, and the last one is shorter than the one before.
            #expect(try #require(log).committed * Self.frame + 32 < size && log?.broken == nil)
            let resumed = try SQLiteJournal.resume(path)
            #expect(ResumePlan(try JournalReader(path).records()).begin.count == 1800)
            withExtendedLifetime((journal, resumed)) {}
        }
    }
}
