import BridgeSSHFleet
import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@Suite("Opening a journal")
struct JournalOpeningTests {
    /// The content of a directory, byte by byte, except locks.
    private func content(of directory: JournalDirectory) throws -> [String: Data] {
        var content: [String: Data] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: directory.path)
        where !file.hasSuffix(".lock") && !file.hasSuffix("-shm") {
            content[file] = (try? Data(contentsOf: URL(fileURLWithPath: directory.path + "/" + file))) ?? Data()
        }
        return content
    }

    /// The problem of a file in the place of a journal, which must stay unchanged.
    private func refusal(
        _ prepare: (_ path: String) async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JournalProblem? {
        var found: JournalProblem?
        try await JournalFixture.with { directory in
            try directory.prepare()
            let path = directory.path + "/20260101-000000-000abc.sqlite"
            try await prepare(path)
            let before = try content(of: directory)
            let resumed = JournalFixture.problem { _ = try SQLiteJournal.resume(path) }
            let read = JournalFixture.problem { _ = try JournalReader(path).info() }
            #expect(resumed?.kind == read?.kind, sourceLocation: sourceLocation)
            #expect(try content(of: directory) == before, "something was written", sourceLocation: sourceLocation)
            #expect(resumed?.text.contains("20260101-000000-000abc.sqlite") == true, sourceLocation: sourceLocation)
            found = resumed
        }
        return found
    }

    /// An interrupted run with all of its log in the database, under another name.
    private func settled(_ path: String) async throws {
        let directory = JournalDirectory(path + ".d")
        let made = try await {
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: (0..<500).map { "host\($0)" }, in: directory)
            for host in 0..<200 { try await journal.record(FleetHostResult(host: "host\(host)", outcome: .error)) }
            return journal.path
        }()
        try FileManager.default.moveItem(atPath: made, toPath: path)
        try FileManager.default.removeItem(atPath: directory.path)
    }

    private func sqlite(_ path: String, _ sql: String) async throws {
        try await ProcessRun.check("sqlite3", [path, sql])
    }

    @Test("a missing file, an empty file, a text, another program's database")
    func foreign() async throws {
        #expect(try await refusal { _ in }?.kind == .missing)
        #expect(try await refusal { try Data().write(to: URL(fileURLWithPath: $0)) }?.kind == .foreign)
        #expect(
            try await refusal { try Data("notes, not a journal\n".utf8).write(to: URL(fileURLWithPath: $0)) }?.kind == .foreign)
        #expect(try await refusal { try await sqlite($0, "CREATE TABLE run (x); PRAGMA journal_mode = WAL") }?.kind == .foreign)
        #expect(
            try await refusal { try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false) }?.kind
                == .unsafe)
    }

    @Test("a missing home directory is not created for a journal, not even by root")
    func homeless() async throws {
        try await ScratchDirectory.with { scratch in
            let home = scratch.path("nonexistent")
            let directory = JournalDirectory.standard(stateHome: nil, home: home)
            let problem = JournalFixture.problem { try directory.prepare() }
            #expect(problem?.text.contains("--journal none") == true && problem?.text.contains(home) == true)
            #expect(!FileManager.default.fileExists(atPath: home))
            // The directory in a variable is created, and so are directories below an existing home directory.
            try JournalDirectory.standard(stateHome: scratch.path("state/home"), home: home).prepare()
            try JournalDirectory.standard(stateHome: nil, home: scratch.url.path).prepare()
        }
    }

    @Test("a journal of a newer version")
    func newer() async throws {
        let problem = try await refusal {
            try await settled($0)
            try await sqlite($0, "PRAGMA user_version = 2")
        }
        #expect(problem?.kind == .newer)
        #expect(problem?.text.contains("update bridge-ssh") == true)
    }

    @Test("a truncated journal, and one with foreign bytes in the middle", arguments: [0.2, 0.5, 0.9])
    func damaged(share: Double) async throws {
        let cut = try await refusal { path in
            try await settled(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.truncate(atOffset: UInt64(Double(try file.seekToEnd()) * share))
            try file.close()
        }
        #expect(cut?.kind == .damaged)
        let altered = try await refusal { path in
            try await settled(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let page = UInt64(Double(try file.seekToEnd()) * share) / 4096 * 4096
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try file.close()
        }
        #expect(altered?.kind == .damaged)
    }

    @Test("a journal without its run, and one with an unknown outcome")
    func nonsense() async throws {
        #expect(
            try await refusal {
                try await settled($0); try await sqlite($0, "DELETE FROM run")
            }?.kind == .damaged)
        let sql = "PRAGMA ignore_check_constraints = 1; UPDATE turn SET outcome = 'lost' WHERE id = 3"
        #expect(
            try await refusal {
                try await settled($0); try await sqlite($0, sql)
            }?.kind == .damaged)
    }

    @Test("a database that was copied without its log is outdated and refused")
    func missingLog() async throws {
        let problem = try await refusal { path in
            let directory = JournalDirectory(path + ".d")
            let journal = try SQLiteJournal.create(SampleRun.subject, hosts: ["a"], in: directory)
            try await journal.arm("a")
            try FileManager.default.copyItem(atPath: journal.path, toPath: path)
            withExtendedLifetime(journal) {}
            try FileManager.default.removeItem(atPath: directory.path)
        }
        #expect(problem?.kind == .damaged)
        #expect(problem?.text.contains("-wal is missing") == true)
    }

    @Test("an interrupted change is rolled back", arguments: [true, false])
    func interruptedChange(resumes: Bool) async throws {
        try await JournalFixture.with { directory in
            try directory.prepare()
            let path = directory.path + "/20260101-000000-000abc.sqlite"
            try await settled(path)
            let expected = try JournalReader(path).records()
            let sql = """
                PRAGMA cache_size = 2; BEGIN IMMEDIATE; UPDATE host SET name = name || hex(zeroblob(500)); SELECT 'changed';

                """
            try await ProcessRun.run("sqlite3", [path], input: .pipe) { process in
                try await process.write(sql)
                _ = try await process.standardOutput.wait(for: "changed")
                process.send(signal: SIGKILL)
            }
            #expect(FileManager.default.fileExists(atPath: path + "-journal"))
            if resumes { _ = try SQLiteJournal.resume(path) }
            #expect(try JournalReader(path).records() == expected)
        }
    }

    @Test("a directory that others can write to, and a file in its place")
    func directories() async throws {
        try await ScratchDirectory.with { scratch in
            let open = JournalDirectory(scratch.path("open"))
            try open.prepare()
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open.path)
            let problem = JournalFixture.problem { _ = try SQLiteJournal.create(SampleRun.subject, hosts: [], in: open) }
            #expect(problem?.text.contains("others can write to \(open.path)") == true)
            let file = JournalDirectory(try scratch.write("", to: "file"))
            let other = JournalFixture.problem { _ = try SQLiteJournal.create(SampleRun.subject, hosts: [], in: file) }
            #expect(other?.text.contains(file.path) == true)
        }
    }

    @Test("a read-only file system, for a new run and for an old one")
    func readOnly() async throws {
        try await ScratchDirectory.with { scratch in
            let directory = JournalDirectory(scratch.path("runs"))
            let path = try await SampleRun.interrupted(in: directory)
            let program = try BuiltExecutable.path("journal-crash")
            for (runs, name) in [(directory.path, path), (scratch.path("runs/deeper"), "runs/deeper")] {
                let result = try await ProcessRun.run(
                    "bwrap",
                    [
                        "--dev-bind", "/", "/", "--ro-bind", directory.path, directory.path, program, runs, scratch.path("sent"),
                        "2",
                    ])
                #expect(result.exitStatus == 3, "\(result.output)")
                #expect(result.output.contains("readOnly") && result.output.contains(name), "\(result.output)")
            }
        }
    }

    @Test("the standard place is the state directory of the XDG Base Directory Specification")
    func standard() {
        #expect(JournalDirectory.standard(stateHome: nil, home: "/home/me").path == "/home/me/.local/state/bridge-ssh/runs")
        #expect(JournalDirectory.standard(stateHome: "/state", home: "/home/me").path == "/state/bridge-ssh/runs")
        #expect(JournalDirectory.standard(stateHome: "state", home: "/home/me").path == "/home/me/.local/state/bridge-ssh/runs")
    }
}
