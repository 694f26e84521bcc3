import Foundation
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Only a private directory of this user is used; any other is skipped without a failure.
@Suite("Directory of the helpers") struct HelperDirectoryTests {
    enum Obstacle: CaseIterable {
        case file
        case link
        case danglingLink
        case linkToOwn
        case groupCanEnter
        case othersCanWrite
        case anotherUsers
        case fifo
    }

    private func put(_ obstacle: Obstacle, at path: String, _ scratch: ScratchDirectory) throws {
        switch obstacle {
        case .file: try Data().write(to: URL(fileURLWithPath: path))
        case .link: try #require(symlink("/tmp", path) == 0)
        case .danglingLink: try #require(symlink(scratch.path("nowhere"), path) == 0)
        case .linkToOwn:
            try #require(mkdir(scratch.path("own"), 0o700) == 0)
            try #require(symlink(scratch.path("own"), path) == 0)
        case .groupCanEnter: try #require(mkdir(path, 0o700) == 0 && chmod(path, 0o710) == 0)
        case .othersCanWrite: try #require(mkdir(path, 0o700) == 0 && chmod(path, 0o1777) == 0)
        case .anotherUsers: try #require(mkdir(path, 0o700) == 0 && chown(path, 65534, 65534) == 0)
        case .fifo: try #require(mkfifo(path, 0o600) == 0)
        }
    }

    @Test("a directory that cannot be used is skipped", arguments: Obstacle.allCases) func passedOver(obstacle: Obstacle)
        async throws
    {
        // Only root can give a file to another user.
        guard obstacle != .anotherUsers || geteuid() == 0 else { return }
        try await ScratchDirectory.with { scratch in
            let (taken, free) = (scratch.path("taken"), scratch.path("free"))
            try put(obstacle, at: taken, scratch)
            var problems: [HelperDirectory.Problem] = []
            #expect(HelperDirectory.prepare([taken, free]) { problems.append($0) } == free)
            #expect(problems.map(\.path) == [taken] && problems.allSatisfy { !$0.text.isEmpty })
            #expect(HelperDirectory.existing([taken, free]) == free)
            #expect(HelperDirectory.prepare([taken]) { _ in } == nil)
            // Nothing is put there, and nothing is changed.
            #expect((try? FileManager.default.contentsOfDirectory(atPath: scratch.path("own"))) ?? [] == [])
        }
    }

    @Test("a directory whose name others could reuse is skipped", arguments: [0o777, 0o770, 0o1777, 0o755] as [mode_t])
    func parents(mode: mode_t) async throws {
        try await ScratchDirectory.with { scratch in
            let parent = scratch.path("parent")
            try #require(mkdir(parent, 0o700) == 0 && chmod(parent, mode) == 0)
            let found = HelperDirectory.prepare([parent + "/bridge-ssh"]) { _ in }
            #expect((found != nil) == (mode == 0o1777 || mode == 0o755))
        }
    }

    @Test("a missing one is created, with ~/.cache, for the user alone") func made() async throws {
        try await ScratchDirectory.with { scratch in
            let path = scratch.path(".cache/bridge-ssh")
            #expect(HelperDirectory.existing([path]) == nil)
            #expect(HelperDirectory.prepare([path]) { _ in } == path)
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o700 && status.st_uid == geteuid())
            #expect(HelperDirectory.prepare([scratch.path("missing/bridge-ssh")]) { _ in } == nil)
        }
    }
}
