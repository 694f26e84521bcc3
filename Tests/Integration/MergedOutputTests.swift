import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Both streams as one, in the order in which their packets arrived.
@Suite struct MergedOutputTests {
    private var merged: SSHCommandOptions {
        var options = SSHCommandOptions()
        options.mergesOutput = true
        return options
    }

    private static let lineCount = 150

    /// Writes lines to both streams in turn, each only after sshd has taken the previous one; then creates a file. All of it fits
    /// into sshd's buffers.
    private static let alternating = """
        import fcntl, os, stat, struct, termios, time
        for index in range(\(lineCount)):
            descriptor = 1 + index * index % 3 % 2
            os.write(descriptor, b"%d %d %s\\n" % (index, descriptor, b"x" * (index * 37 % 300)))
            request = termios.FIONREAD if stat.S_ISFIFO(os.fstat(descriptor).st_mode) else termios.TIOCOUTQ
            while struct.unpack("i", fcntl.ioctl(descriptor, request, bytes(4)))[0]:
                time.sleep(0.0005)
        open("/tmp/written", "w").close()
        """

    private var expected: [(stream: SSHEvidence.OutputStream, line: String)] {
        (0..<Self.lineCount).map { index in
            let descriptor = 1 + index * index % 3 % 2
            let filling = String(repeating: "x", count: index * 37 % 300)
            return (descriptor == 1 ? .standardOutput : .standardError, "\(index) \(descriptor) \(filling)\n")
        }
    }

    /// Nothing is read before all has been written, so that libssh2 has much of both streams at once.
    @Test("the order is the server's") func theOrderIsTheServers() async throws {
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                try await box.connected(through: proxy.port) { connection in
                    let written = box.temporaryDirectory.appendingPathComponent("written")
                    let command = "python3 -c '\(Self.alternating)'"
                    let outcome = try await connection.execute(command, options: merged) { execution in
                        await proxy.stopReading(from: .server)
                        while !FileManager.default.fileExists(atPath: written.path) {
                            try await Task.sleep(for: .milliseconds(5))
                        }
                        await proxy.resumeReading(from: .server)
                        var pieces: [(stream: SSHEvidence.OutputStream, bytes: [UInt8])] = []
                        for try await chunk in execution.standardOutput {
                            if let last = pieces.last, last.stream == chunk.stream {
                                pieces[pieces.count - 1].bytes += chunk.bytes
                            } else {
                                pieces.append((chunk.stream, chunk.bytes))
                            }
                        }
                        return pieces
                    }
                    let pieces = try outcome.checked()
                    var joined: [(stream: SSHEvidence.OutputStream, text: String)] = []
                    for (stream, line) in expected {
                        if joined.last?.stream == stream {
                            joined[joined.count - 1].text += line
                        } else {
                            joined.append((stream, line))
                        }
                    }
                    #expect(pieces.map(\.stream) == joined.map(\.stream))
                    #expect(pieces.map { String(decoding: $0.bytes, as: UTF8.self) } == joined.map(\.text))
                }
            }
        }
    }

    /// Far more than is read ahead, with keys renewed in between: nothing is lost, and nothing is taken for the other stream.
    @Test("bulk of both streams is distinguished") func bulkOfBothStreamsIsDistinguished() async throws {
        let count = 8 << 20
        var options = SSHDSandbox.Options()
        options.rekeyLimit = "1M"
        try await SSHDSandbox.run(options) { box in
            try await box.connected { connection in
                let command = "head -c \(count) /dev/zero | tr '\\0' o & head -c \(count) /dev/zero | tr '\\0' e >&2; wait"
                let outcome = try await connection.execute(command, options: merged) { execution in
                    var counts: [SSHEvidence.OutputStream: Int] = [:]
                    for try await chunk in execution.standardOutput {
                        let letter = UInt8(ascii: chunk.stream == .standardOutput ? "o" : "e")
                        #expect(chunk.withUnsafeBytes { $0.allSatisfy { $0 == letter } })
                        counts[chunk.stream, default: 0] += chunk.count
                    }
                    return counts
                }
                #expect(try outcome.checked() == [.standardOutput: count, .standardError: count])
            }
        }
    }

    /// A channel that is not merged is unchanged, on the same connection and at the same time.
    @Test("other commands are not merged") func otherCommandsAreNotMerged() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                try await connection.execute("echo out; read x; echo err >&2", options: merged, standardInput: .bytes([10])) {
                    execution in
                    let other = try await connection.run("echo other; echo error >&2")
                    #expect(other.standardOutputText == "other\n")
                    #expect(String(decoding: other.standardError, as: UTF8.self) == "error\n")
                    var streams: [SSHEvidence.OutputStream] = []
                    for try await chunk in execution.standardOutput { streams.append(chunk.stream) }
                    #expect(streams == [.standardOutput, .standardError])
                }
            }
        }
    }

    /// Collected, everything is one output; the error always has a tail of each stream, and its cause.
    @Test("the error has a tail of each stream", arguments: [true, false]) func theErrorHasATailOfEachStream(isMerged: Bool)
        async throws
    {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                var options = SSHCommandOptions()
                options.mergesOutput = isMerged
                let command = "echo out; cat /none"
                let result = try await connection.run(command, options: options)
                let complaint = "cat: /none: No such file or directory\n"
                #expect(Set(result.standardOutputText.split(separator: "\n")).count == (isMerged ? 2 : 1))
                #expect(String(decoding: result.standardError, as: UTF8.self) == (isMerged ? "" : complaint))
                let error = try #require(throws: SSHError.self) { try result.checked() }
                #expect(error.evidence.command?.standardOutputTail == "out\n")
                #expect(error.evidence.command?.standardErrorTail == complaint)
                #expect(error.cause != nil)
            }
        }
    }

    /// The library reads output that the caller leaves unread, and keeps it for the error.
    @Test("tails are kept of unread output") func tailsAreKeptOfUnreadOutput() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("echo out; echo err >&2; exit 3", options: merged) { _ in }
                let command = try #require(outcome.error?.evidence.command)
                #expect(command.standardOutputTail == "out\n")
                #expect(command.standardErrorTail == "err\n")
            }
        }
    }
}
