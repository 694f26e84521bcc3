import BridgeSSH
import Foundation
import SSHTestSupport

@testable import BridgeSSHFleet

/// Shared helpers of the journal's tests.
enum JournalFixture {
    /// A directory for journals that is removed afterwards.
    static func with(_ body: (JournalDirectory) async throws -> Void) async throws {
        try await ScratchDirectory.with { scratch in try await body(JournalDirectory(scratch.path("runs"))) }
    }

    /// The files that a process killed now would leave.
    static func copy(_ path: String, to other: String) throws {
        for (from, to) in [(path, other), (path + "-wal", other + "-wal"), (JournalLock.path(path), JournalLock.path(other))] {
            try? FileManager.default.removeItem(atPath: to)
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
    }

    static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// The problem for which a journal is refused.
    static func problem(_ body: () throws -> Void) -> JournalProblem? {
        do {
            try body()
            return nil
        } catch { return error as? JournalProblem }
    }
}
