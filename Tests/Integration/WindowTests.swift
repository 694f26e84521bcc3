import BridgeSSH
import SSHTestSupport
import Testing

/// The amount of data that the server may have in flight.
@Suite struct WindowTests {
    /// The initial window of a channel.
    private static let window = 2 << 20
    /// The delay of each direction. A window grows only if it is smaller than the amount that the client can decrypt in a
    /// round trip; with this delay it does even on a busy machine.
    private static let longDelay = Duration.milliseconds(400)

    /// The window is opened again when a quarter of it is used, and not after each packet, which would cost too much.
    /// `ReceiveWindowTests` show, without a clock and without a busy machine, that it does not grow on a short path.
    @Test("the window is opened in quarters") func isOpenedByQuarters() async throws {
        let count = 64 << 20
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port) { proxy in
                try await box.connected(through: proxy.port) { connection in
                    try await connection.run("true", check: true)
                    let before = proxy.statistics.bytesFromClient
                    let outcome = try await connection.execute("head -c \(count) /dev/zero") { execution in
                        var received = 0
                        for try await chunk in execution.standardOutput { received += chunk.count }
                        return received
                    }
                    #expect(try outcome.checked() == count)
                    let sent = proxy.statistics.bytesFromClient - before
                    let quarters = count / (Self.window / 4)
                    #expect(sent >= 4 * InstalledLibrary.windowAdjustment)
                    #expect(sent <= 4 * quarters * InstalledLibrary.windowAdjustment)
                }
            }
        }
    }

    /// If the server waits for the client, it may send more, and fewer messages are needed to allow it.
    @Test("the window grows on a long path") func growsWhereThePathIsLong() async throws {
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port, delay: Self.longDelay) { proxy in
                try await box.connected(through: proxy.port) { connection in
                    let (window, _) = try await readUntilGrown(connection)
                    #expect(window == 4 * Self.window)
                }
            }
        }
    }

    /// A reader that is too slow even for the first window slows the server down, and its window does not grow. Standard
    /// error counts like standard output.
    @Test("the window does not grow for a slow reader") func doesNotGrowForAReaderThatIsSlow() async throws {
        try await SharedSandbox.run { box in
            try await FaultProxy.run(to: box.port, delay: .milliseconds(50)) { proxy in
                try await box.connected(through: proxy.port) { connection in
                    let count = 4 * Self.window
                    let outcome = try await connection.execute("head -c \(count) /dev/zero >&2", standardError: .stream) {
                        var received = 0
                        for try await chunk in $0.standardError {
                            received += chunk.count
                            // A quarter of a MiB at most: less than a window in four round trips.
                            try await Task.sleep(for: .milliseconds(60))
                        }
                        #expect(await $0.receiveWindow() == Self.window)
                        return received
                    }
                    #expect(try outcome.checked() == count)
                }
            }
        }
    }

    /// Each hop's channel has its own window, and the narrowest limits the rate.
    @Test("the window grows through a jump host") func growsThroughAJumpHost() async throws {
        let chain = try await Chain.plain(2)
        try await FaultProxy.run(to: chain.hops[0].port, delay: Self.longDelay) { proxy in
            var near = chain
            near.hops[0].port = proxy.port
            near.hops[0].knownHosts = try await SharedChain.shared.boxes(2)[0].knownHosts(port: proxy.port)
            try await SSHClient.withConnection(to: near.endpoint, configuration: near.configuration) { connection in
                let (_, received) = try await readUntilGrown(connection)
                // With the tunnel's initial window, the inner one would not grow that far.
                #expect(received < 512 << 20)
            }
        }
    }

    /// Keys are renewed every MiB, which takes round trips each time: an adjustment during a renewal waits, and no data that
    /// arrives meanwhile is lost, not even the end of output.
    @Test("keys are renewed during a transfer", arguments: [false, true]) func keysAreRenewedMeanwhile(onStandardError: Bool)
        async throws
    {
        var options = SSHDSandbox.Options()
        options.rekeyLimit = "1M"
        // A size that is not a multiple of any block or window.
        let count = (12 << 20) + 4321
        try await SSHDSandbox.run(options) { box in
            try await FaultProxy.run(to: box.port, delay: .milliseconds(10)) { proxy in
                try await box.connected(through: proxy.port) { connection in
                    let command = "yes 123456 | head -c \(count) \(onStandardError ? ">&2" : "")"
                    let outcome = try await connection.execute(command, standardError: .stream) { execution in
                        var next = 0
                        for try await chunk in onStandardError ? execution.standardError : execution.standardOutput {
                            let line = Array("123456\n".utf8)
                            for byte in chunk.bytes where byte == line[next % 7] { next += 1 }
                        }
                        return next
                    }
                    #expect(try outcome.checked() == count)
                }
            }
        }
    }

    /// Reads a command's endless output until its window is four times as large.
    private func readUntilGrown(_ connection: SSHConnection) async throws -> (window: Int, received: Int) {
        var received = 0
        var window = 0
        _ = try? await connection.execute("cat /dev/zero") { execution in
            for try await chunk in execution.standardOutput {
                received += chunk.count
                window = await execution.receiveWindow() ?? 0
                if window >= 4 * Self.window || received >= 512 << 20 { break }
            }
            await execution.cancel()
        }
        return (window, received)
    }
}
