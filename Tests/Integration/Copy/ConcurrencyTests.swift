import BridgeSSH
import SSHTestSupport
import Testing

/// What waits inside of a session is registered on the session's own thread. A closure that does not mention its actor runs
/// elsewhere, and the compiler does not say so: the lists of waiters were changed by two threads at once.
@Suite("Many concurrent requests on one connection")
struct ConcurrencyTests {
    @Test("each of thousands of requests gets its own answer while many tasks wait")
    func requests() async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in
            try await connection.withSFTP { sftp in
                let folder = "many"
                try await sftp.makeDirectory(folder)
                for size in 0..<16 {
                    try await sftp.withFile("\(folder)/\(size)", .creating) { try await $0.write(CopyBytes.make(size), at: 0) }
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<64 {
                        group.addTask {
                            for round in 0..<100 {
                                let size = (worker &+ round) % 16
                                let attributes = try await sftp.attributes(of: "\(folder)/\(size)")
                                #expect(attributes.size == UInt64(size))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("many commands read and end at once, each with its own output")
    func commands() async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for round in 0..<10 {
                            let text = "\(worker)-\(round)"
                            let result = try await connection.run("echo \(text)", check: true)
                            #expect(result.standardOutputText == text + "\n")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// Content of files.
enum CopyBytes {
    /// The same bytes for the same seed.
    static func make(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
}
