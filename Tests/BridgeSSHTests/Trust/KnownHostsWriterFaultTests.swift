import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

@testable import SSHTrust

/// Several writers at once, a read-only directory.
@Suite struct KnownHostsWriterFaultTests {
    @Test("concurrent writers lose nothing") func severalWriters() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("known_hosts", "# first\nweb0 \(TestKeys.rsa(1).line)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...6 { group.addTask { try Self.write(path, writer: writer) } }
            try await group.waitForAll()
        }
        let known = try SSHKnownHostsFiles(user: [path]).load(policy: .strict)
        #expect(known.skippedLines.isEmpty)
        #expect(known.entries.count == 122)  // web0, twenty hosts of each of six writers, and the common host
        for writer in 1...6 {
            for number in 1...20 {
                let verdict = known.verdict(on: TestKeys.ed25519(UInt8(number)), host: "w\(writer)-\(number)", port: 22)
                guard case .trusted = verdict else {
                    Issue.record("w\(writer)-\(number) was lost")
                    continue
                }
            }
        }
        #expect(try directory.names == ["known_hosts"])
    }

    /// Twenty hosts of this writer, and one that all writers add but that must be in the file once.
    private static func write(_ path: String, writer: Int) throws {
        let file = SSHKnownHostsWriter(path: path)
        for number in 1...20 {
            _ = try file.add(TestKeys.ed25519(UInt8(number)), host: "w\(writer)-\(number)", port: 22)
            _ = try file.add(TestKeys.ed25519(99), host: "common", port: 22)
        }
    }

    @Test("without permission nothing is written or left behind") func withoutPermissionNothingIsWritten() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("known_hosts", "# old\n")
        chmod(path, 0o666)
        chmod(directory.path(""), 0o555)
        for file in [path, directory.path("fresh")] {
            let problem = #expect(throws: SSHKnownHostsProblem.self) {
                try UnprivilegedFiles.access {
                    try SSHKnownHostsWriter(path: file).add(TestKeys.ed25519(1), host: "web1", port: 22)
                }
            }
            #expect(problem?.operation == "open" && problem?.errno == EACCES)
            #expect(problem?.remedy.contains("accessible") == true)
        }
        chmod(directory.path(""), 0o755)
        #expect(try directory.read("known_hosts") == Array("# old\n".utf8))
        #expect(try directory.names == ["known_hosts"])
    }

    @Test("lines that ssh appends meanwhile are kept") func whatSshAppendsMeanwhileIsKept() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("known_hosts", "# old\n")
        let locked = try LockedFile(path: path)
        defer { locked.close() }
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("by ssh\n".utf8))
        try handle.close()
        #expect(try locked.replace(with: Array("ours\n".utf8)) == false)
        #expect(try directory.read("known_hosts") == Array("# old\nby ssh\n".utf8))
        #expect(try directory.names == ["known_hosts"])
    }

    @Test("a lock that another holds is waited for") func aLockThatAnotherHolds() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("known_hosts", "")
        let locked = try LockedFile(path: path)
        let waiting = Task { try SSHKnownHostsWriter(path: path).add(TestKeys.ed25519(1), host: "web1", port: 22) }
        #expect(try locked.replace(with: Array("# theirs\n".utf8)))
        locked.close()
        #expect(try await waiting.value == .added(SSHKnownHostsLocation(file: path, line: 2)))
    }
}
