import BridgeSSH
import ErrorCore
import NIOCore
import SSHTestSupport
import Synchronization
import Testing

/// Standard input as a value: a reusable input is complete each time, and a single-use input reports its second use.
@Suite struct StandardInputTests {
    private struct OwnError: Error, Equatable {}

    @Test("a value is read from its beginning by every command") func aValueIsReadFromItsBeginningByEveryCommand() async throws {
        try await SSHDSandbox.run { box in
            let file = try box.directory.write("from a file\n", to: "input").description
            try await box.connected { connection in
                let inputs: [(SSHStandardInput, String)] = [
                    (.bytes(Array("bytes".utf8)), "bytes"), (.string("text é"), "text é"), ("literal", "literal"),
                    (.buffer(ByteBuffer(string: "a buffer")), "a buffer"), (.file(file), "from a file\n"),
                ]
                for (input, text) in inputs {
                    for _ in 0..<3 {
                        let result = try await connection.run("cat", standardInput: input)
                        #expect(result.standardOutputText == text)
                    }
                }
            }
        }
    }

    @Test("a second attempt reads all of it") func aSecondAttemptReadsAllOfIt() async throws {
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port, fault: .init(.reset, afterServerBytes: 700), onFirst: 1) { proxy in
                let (endpoint, configuration) = (box.endpoint(port: proxy.port), try await box.configuration(port: proxy.port))
                let input = SSHStandardInput.string("all of it")
                let result = try await withRetry(.aggressive) { _ in
                    try await SSHClient.withConnection(to: endpoint, configuration: configuration) {
                        try await $0.run("cat", standardInput: input)
                    }
                }
                #expect(result.standardOutputText == "all of it")
            }
        }
    }

    @Test("a sequence is read once, and a second time is an error") func aSequenceIsReadOnceAndSaysSoTheSecondTime() async throws
    {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let sequence = SSHStandardInput.sequence(
                    AsyncStream<[UInt8]> {
                        for piece in ["a", "b", "c"] { $0.yield(Array(piece.utf8)) }; $0.finish()
                    })
                let pieces = Mutex(["x", "y"][...])
                let inputs: [(SSHStandardInput, String)] = [
                    (sequence, "abc"), (.pieces { pieces.withLock { $0.popFirst() }.map { Array($0.utf8) } }, "xy"),
                ]
                for (input, text) in inputs {
                    #expect(try await connection.run("cat", standardInput: input).standardOutputText == text)
                    let error = try await #require(throws: SSHError.self) {
                        try await connection.run("touch /tmp/ran; cat", standardInput: input)
                    }
                    #expect(error.code == .localUsage && error.commandMayHaveRun == .no)
                    #expect(error.message.contains("standard input") && error.message.contains("once"))
                }
                #expect(try await connection.run("test -e /tmp/ran").termination == .exited(1))
            }
        }
    }

    @Test("the source's own error is thrown unchanged") func theSourcesOwnErrorComesOutAsItself() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let failing = AsyncThrowingStream<ByteBuffer, any Error> {
                    $0.yield(ByteBuffer(string: "x"))
                    $0.finish(throwing: OwnError())
                }
                await #expect(throws: OwnError.self) { try await connection.run("cat", standardInput: .sequence(failing)) }
                // A source that throws a cancellation of its own counts as failed too.
                await #expect {
                    try await connection.run("cat", standardInput: .pieces { throw CancellationError() })
                } throws: {
                    $0.isCancellation
                }
                let next = try await connection.run("echo still here")
                #expect(next.standardOutputText == "still here\n")
            }
        }
    }

    @Test("a file that cannot be read", arguments: ["/nonexistent/x", "/", "/dev/null", "/etc/passwd\0x"])
    func aFileThatCannotBeRead(_ path: String)
        async throws
    {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let error = try await #require(throws: SSHError.self) {
                    try await connection.run("cat", standardInput: .file(path))
                }
                #expect(error.code == .localUsage && error.commandMayHaveRun == .no)
            }
        }
    }
}
