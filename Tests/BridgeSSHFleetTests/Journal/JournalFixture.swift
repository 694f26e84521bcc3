import BridgeSSH
import Foundation
import SSHTestSupport

@testable import BridgeSSHFleet

/// What the tests of the journal share.
enum JournalFixture {
    static let subject = RunSubject(command: "uptime")

    /// A directory for journals, gone afterwards.
    static func with(_ body: (JournalDirectory) async throws -> Void) async throws {
        try await ScratchDirectory.with { scratch in try await body(JournalDirectory(scratch.path("runs"))) }
    }

    /// A run that was interrupted: of six hosts one in each state.
    static func interrupted(in directory: JournalDirectory) async throws -> String {
        let hosts = ["ok", "failed", "error", "unknown", "skipped", "armed", "none"]
        let journal = try SQLiteJournal.create(subject, hosts: hosts, in: directory)
        for host in ["ok", "failed", "unknown", "armed"] { try await journal.arm(host) }
        try await journal.record(Rendering.result("ok"))
        try await journal.record(Rendering.result("failed", .failed, status: 3))
        try await journal.record(Rendering.result("error", .error, code: .authKeyRejected))
        try await journal.record(Rendering.result("unknown", .unknown, code: .sessionConnectionLost))
        try await journal.record(Rendering.result("skipped", .skipped))
        return journal.path
    }

    /// What a process that is killed now would leave.
    static func copy(_ path: String, to other: String) throws {
        for (from, to) in [(path, other), (path + "-wal", other + "-wal"), (JournalLock.path(path), JournalLock.path(other))] {
            try? FileManager.default.removeItem(atPath: to)
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
    }

    static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// The problem with which a journal is refused.
    static func problem(_ body: () throws -> Void) -> JournalProblem? {
        do {
            try body()
            return nil
        } catch { return error as? JournalProblem }
    }
}
