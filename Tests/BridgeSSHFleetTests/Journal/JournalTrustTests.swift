import FleetSamples
import Foundation
import SSHTestSupport
import Testing

@testable import BridgeSSHFleet

/// The owner of a journal is checked before its content is read.
@Suite("Journals of other users")
struct JournalTrustTests {
    /// Every way to read a journal.
    private func problems(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) -> [JournalProblem?] {
        let directory = JournalDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        let history = RunHistory(directory)
        return [
            JournalFixture.problem { _ = try JournalReader(path) }, JournalFixture.problem { _ = try SQLiteJournal.resume(path) },
            JournalFixture.problem { _ = try JournalReader(path, check: nil).earlier() },
            JournalFixture.problem { _ = try history.hosts(of: path, .outcome(.ok)) },
        ]
    }

    /// The result of each way to read a finished journal that was changed.
    private func refusals(_ change: (_ path: String, _ scratch: ScratchDirectory) throws -> Void) async throws -> [String] {
        var texts: [String] = []
        try await ScratchDirectory.with { scratch in
            let path = try await SampleRun.interrupted(in: JournalDirectory(scratch.path("runs")))
            #expect(problems(path) == [nil, nil, nil, nil])
            try change(path, scratch)
            for problem in problems(path) {
                #expect(problem?.kind == .unsafe)
                texts.append(problem?.text ?? "")
            }
        }
        return texts
    }

    @Test("a journal, or a file beside it, that belongs to another user", arguments: ["", "-wal", "-shm", "-journal", ".lock"])
    func owner(suffix: String) async throws {
        let texts = try await refusals { path, _ in
            let file = suffix == ".lock" ? JournalLock.path(path) : path + suffix
            if !FileManager.default.fileExists(atPath: file) { try Data().write(to: URL(fileURLWithPath: file)) }
            try #require(chown(file, 4721, 4721) == 0, "the tests run as root")
        }
        for text in texts { #expect(text.contains("belongs to another user (uid 4721)")) }
    }

    @Test("a journal that others can write to, or that has a second name", arguments: ["", ".lock"])
    func mode(suffix: String) async throws {
        let writable = try await refusals { path, _ in
            chmod(suffix.isEmpty ? path : JournalLock.path(path), 0o620)
        }
        for text in writable { #expect(text.contains("can be written to by others")) }
        let linked = try await refusals { path, scratch in
            link(suffix.isEmpty ? path : JournalLock.path(path), scratch.path("other"))
        }
        for text in linked { #expect(text.contains("has 2 names")) }
    }

    @Test("a symbolic link, a FIFO and a directory in the place of a file", arguments: ["", "-wal", "-shm", "-journal", ".lock"])
    func kinds(suffix: String) async throws {
        for kind in ["link", "fifo", "directory"] {
            let texts = try await refusals { path, scratch in
                let file = suffix == ".lock" ? JournalLock.path(path) : path + suffix
                let other = scratch.path("other")
                if FileManager.default.fileExists(atPath: file) { try FileManager.default.moveItem(atPath: file, toPath: other) }
                switch kind {
                case "link": try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: other)
                case "fifo": mkfifo(file, 0o600)
                default: try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
                }
            }
            for text in texts { #expect(text.contains("is not a regular file"), "\(kind)") }
        }
    }

    @Test("every reader, and `last`, refuses a directory that another user owns or can write to")
    func directory() async throws {
        for (mode, owner, words) in [
            (mode_t(0o700), uid_t(4721), "belongs to another user"), (0o777, 0, "others can write"),
        ] {
            let texts = try await refusals { path, scratch in
                chmod(scratch.path("runs"), mode)
                chown(scratch.path("runs"), owner, gid_t.max)
                let history = RunHistory(JournalDirectory(scratch.path("runs")))
                #expect(JournalFixture.problem { _ = try history.names() }?.kind == .unsafe)
                #expect(JournalFixture.problem { _ = try history.path(of: "last") }?.kind == .unsafe)
            }
            for text in texts { #expect(text.contains(words)) }
        }
    }

    @Test("a rollback journal that names another file is refused, and the file stays")
    func superJournal() async throws {
        try await ScratchDirectory.with { scratch in
            let path = try await SampleRun.interrupted(in: JournalDirectory(scratch.path("runs")))
            let precious = try scratch.write("precious\n", to: "precious")
            let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
            func word(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) } }
            let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
            // "Database File Format", section 3, and pager.c, writeSuperJournal.
            var bytes = magic + word(0) + word(12345) + word(size / 4096) + word(512) + word(4096)
            bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
            let name = Array(precious.utf8)
            bytes += word(0x4000_0000 / 4096 + 1) + name + word(name.count) + word(name.reduce(0) { $0 + Int($1) }) + magic
            try Data(bytes).write(to: URL(fileURLWithPath: path + "-journal"))
            for problem in problems(path) { #expect(problem?.text.contains("names other files") == true) }
            #expect(try String(contentsOfFile: precious, encoding: .utf8) == "precious\n")
        }
    }
}
