import Foundation
import SSHTestSupport
import Testing

/// Many processes that write to one known_hosts file at the same time.
@Suite("Concurrent writers of known_hosts")
struct ConcurrentWritersTests {
    private static let writers = 20

    @Test("twenty processes add twenty hosts, and none is lost")
    func adding() async throws {
        try await TrustRun.with(SSHDSandbox.Options("MaxStartups 200\nMaxSessions 100", hostKeys: [.ed25519])) { run in
            let key = try #require(run.visible.first)
            let fingerprint = try await run.fingerprint(of: key)
            try run.scratch.write("# mine\nother \(key.publicKey)", to: "known")
            try await withThrowingTaskGroup(of: ProcessResult.self) { group in
                for number in 0..<Self.writers {
                    group.addTask { try await run.batch("-o", "HostKeyAlias=host\(number)", "--yes", fingerprint) }
                }
                for try await result in group { #expect(result.exitStatus == 0, "\(result.errorOutput)") }
            }
            let added = (0..<Self.writers).map { "host\($0) \(key.publicKey)" }
            #expect(run.lines.count == 2 + Self.writers)
            #expect(Set(run.lines) == Set(["# mine", "other \(key.publicKey)"] + added))
        }
    }

    @Test("concurrent removals and additions all take effect")
    func removingAndAdding() async throws {
        try await TrustRun.with(SSHDSandbox.Options("MaxStartups 200", hostKeys: [.ed25519])) { run in
            let key = try #require(run.visible.first)
            let fingerprint = try await run.fingerprint(of: key)
            let old = (0..<10).map { "old\($0) \(key.publicKey)\n" }.joined()
            try run.scratch.write(old, to: "known")
            try await withThrowingTaskGroup(of: ProcessResult.self) { group in
                for number in 0..<10 {
                    group.addTask { try await run.batch("-o", "HostKeyAlias=old\(number)", "--remove") }
                    group.addTask { try await run.batch("-o", "HostKeyAlias=new\(number)", "--yes", fingerprint) }
                }
                for try await result in group { #expect(result.exitStatus == 0, "\(result.errorOutput)") }
            }
            #expect(Set(run.lines) == Set((0..<10).map { "new\($0) \(key.publicKey)" }))
        }
    }
}
