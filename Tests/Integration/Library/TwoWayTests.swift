import BridgeSSH
import NIOCore
import SSHTestSupport
import Testing

/// Conversations with a command, a subsystem, and another host through the server.
@Suite struct TwoWayTests {
    @Test("a conversation with a command") func aConversationWithACommand() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("while read x; do echo \"got $x\"; done; echo bye") {
                    execution, input in
                    var lines = execution.standardOutput.lines.makeAsyncIterator()
                    var heard: [String?] = []
                    try await input.write("one\n")
                    heard.append(try await lines.next())
                    try await input.write(ByteBuffer(string: "two\n"))
                    heard.append(try await lines.next())
                    try await input.write(Array("three\n".utf8))
                    heard.append(try await lines.next())
                    try await input.finish()
                    try await input.finish()
                    heard.append(try await lines.next())
                    heard.append(try await lines.next())
                    await #expect { try await input.write("late") } throws: { SSHError.localUsage ~= $0 }
                    return heard
                }
                #expect(outcome.value == ["got one", "got two", "got three", "bye", nil])
                #expect(outcome.termination == .exited(0))
            }
        }
    }

    /// This closure lets the library end the input.
    @Test("an input that is not finished ends with the closure") func anInputThatIsNotFinishedEndsWithTheClosure() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("cat >/tmp/x; wc -c </tmp/x; exit 6") { _, input in
                    let isRead = try await input.write([UInt8](repeating: 7, count: 5 << 20))
                    #expect(isRead)
                }
                #expect(outcome.termination == .exited(6))
                #expect(try await connection.run("wc -c </tmp/x").standardOutputText == "\(5 << 20)\n")
            }
        }
    }

    @Test("a command that stops reading") func aCommandThatReadsNoMore() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let outcome = try await connection.execute("exec head -c 1 >/dev/null") { _, input in
                    var writes = 0
                    while try await input.write([UInt8](repeating: 7, count: 1 << 20)) { writes += 1 }
                    return writes
                }
                #expect(outcome.termination == .exited(0))
            }
        }
    }

    @Test("a signal that does not end the run") func aSignalThatDoesNotEndTheRun() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                try await connection.execute("trap 'echo hup' HUP; echo ready; read x; echo end") { execution, input in
                    var lines = execution.standardOutput.lines.makeAsyncIterator()
                    #expect(try await lines.next() == "ready")
                    for name in ["", "SIG", "no name", "HUP\0", "é"] {
                        await #expect { try await execution.signal(name) } throws: { SSHError.localUsage ~= $0 }
                    }
                    if InstalledLibrary.is111 {
                        try await execution.signal("SIGHUP")
                    } else {
                        let error = await #expect(throws: SSHError.self) { try await execution.signal("HUP") }
                        #expect(error?.code == .localUsage && error?.message.contains("1.11") == true)
                    }
                    try await input.write("go\n")
                    #expect(try await lines.next() == "end" || InstalledLibrary.is111)
                }
            }
        }
    }

    @Test("a subsystem as a stream") func aSubsystemAsAStream() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                let answer = try await connection.withSubsystem("sftp") { execution, input in
                    // SSH_FXP_INIT of version 3, and the first bytes of SSH_FXP_VERSION.
                    try await input.write([0, 0, 0, 5, 1, 0, 0, 0, 3])
                    var iterator = execution.standardOutput.makeAsyncIterator()
                    return try await iterator.next()?.bytes
                }
                #expect(answer.value?.dropFirst(4).first == 2)
                await #expect {
                    try await connection.withSubsystem("none-such") { _, _ in }
                } throws: {
                    SSHError.channelSubsystemMissing ~= $0
                }
                #expect(try await connection.run("echo alive").standardOutputText == "alive\n")
            }
        }
    }

    @Test("a stream to another host") func aStreamToAnotherPlace() async throws {
        try await SSHDSandbox.run { box in
            try await box.connected { connection in
                // The sandbox's own sshd answers there.
                let greeting = try await connection.open(to: "127.0.0.1", port: box.port) { stream in
                    let line = try await stream.inbound.lines.first { _ in true }
                    try await stream.outbound.write("SSH-2.0-test\r\n")
                    try await stream.outbound.finish()
                    for try await _ in stream.inbound {}
                    return line
                }
                #expect(greeting?.hasPrefix("SSH-2.0-OpenSSH") == true)
                let error = try await #require(throws: SSHError.self) {
                    try await connection.open(to: "127.0.0.1", port: 1) { _ in }
                }
                #expect(error.code == .channelJumpTargetUnreachable && error.commandMayHaveRun == .no)
                #expect(error.message.contains("127.0.0.1:1") && !error.message.contains("jump host"))
                await #expect { try await connection.open(to: "", port: 22) { _ in } } throws: { SSHError.localUsage ~= $0 }
                #expect(try await connection.run("echo alive").standardOutputText == "alive\n")
                #expect(await connection.openChannels() == 0)
            }
        }
    }

    @Test("a cancelled task gets the same error wherever it waited") func aCancelledStream() async throws {
        try await SharedSandbox.run { box in
            try await box.connected { connection in
                for reads in [true, false] {
                    let (opened, isOpen) = AsyncStream.makeStream(of: Void.self)
                    let task = Task {
                        try await connection.open(to: "127.0.0.1", port: box.port) { stream in
                            isOpen.finish()
                            if reads { for try await _ in stream.inbound {} }
                            try await Task.sleep(for: .seconds(600))
                        }
                    }
                    for await _ in opened {}
                    task.cancel()
                    let error = try await #require(throws: SSHError.self) { try await task.value }
                    #expect(error.code == .localCancelled && error.commandMayHaveRun == .no)
                }
                let late = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await connection.open(to: "127.0.0.1", port: box.port) { _ in }
                }
                let error = try await #require(throws: SSHError.self) { try await late.value }
                #expect(error.code == .localCancelled)
                // The server has to close them too.
                while await connection.openChannels() > 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
        }
    }
}
