import BridgeSSH
import SSHTestSupport
import Testing

/// Readers of a command's output.
@Suite struct OutputReadingTests {
    @Test("a loop that is left and begun again loses nothing") func aLoopThatIsLeftAndBegunAgainLosesNothing() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("printf '1\\n2\\n3\\n4\\nrest'") { execution in
                    var seen: [String] = []
                    for try await line in execution.standardOutput.lines {
                        seen.append(line)
                        if seen.count == 2 { break }
                    }
                    for try await line in execution.standardOutput.lines {
                        seen.append(line)
                        break
                    }
                    var bytes: [UInt8] = []
                    for try await chunk in execution.standardOutput { bytes += chunk.bytes }
                    return seen + [String(decoding: bytes, as: UTF8.self)]
                }
                #expect(outcome.value == ["1", "2", "3", "4\nrest"])
            }
        }
    }

    @Test("a line that is too long is an error, and stays in the stream") func aLineThatIsTooLongIsAnErrorAndStays() async throws
    {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("echo ok; head -c 100000 /dev/zero | tr '\\0' x; echo; echo end") {
                    execution in
                    var lines = execution.standardOutput.lines(maximumLength: 1000).makeAsyncIterator()
                    #expect(try await lines.next() == "ok")
                    for _ in 0..<2 {
                        let error = await #expect(throws: SSHError.self) { try await lines.next() }
                        #expect(error?.code == .commandOutputLimitExceeded)
                        #expect(error?.message.contains("line of more than 1000 bytes") == true)
                    }
                    var rest: [String] = []
                    for try await line in execution.standardOutput.lines { rest.append(line) }
                    return rest
                }
                #expect(outcome.value == [String(repeating: "x", count: 100000), "end"])
            }
        }
    }

    @Test("any limit on a line", arguments: [Int.min, -1, 0, 1, 2, Int.max]) func anyLimitOfALine(_ limit: Int) async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("printf '\\nx\\r\\n'") { execution in
                    var lines = execution.standardOutput.lines(maximumLength: limit).makeAsyncIterator()
                    let empty = try await lines.next()
                    #expect(empty == "")
                    return try? await lines.next()
                }
                #expect(outcome.value == (limit >= 1 ? "x" : nil))
            }
        }
    }

    @Test("a stream that is not collected throws") func aStreamThatIsNotCollectedThrows() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                try await connection.execute("echo a >&2") { execution in
                    let error = await #expect(throws: SSHError.self) { for try await _ in execution.standardError {} }
                    #expect(error?.code == .localUsage && error?.message.contains("standardError: .stream") == true)
                    await #expect(throws: SSHError.self) { for try await _ in execution.standardError.lines {} }
                }
            }
        }
    }

    @Test("a second reader gets an error") func aSecondReaderGetsAnError() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("read x; echo end", standardError: .stream) { execution, input in
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for _ in 0..<2 {
                            group.addTask {
                                do {
                                    for try await line in execution.standardOutput.lines { #expect(line == "end") }
                                    return 0
                                } catch SSHError.localUsage {
                                    return 1
                                }
                            }
                        }
                        // Whichever comes second fails at once; the other one reads on.
                        let first = try await group.next()
                        #expect(first == 1)
                        try await input.write("go\n")
                        return try await group.next()
                    }
                }
                #expect(outcome.value == 0 && outcome.termination == .exited(0))
            }
        }
    }
}
