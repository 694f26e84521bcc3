import BridgeSSH
import SSHTestSupport
import Testing

/// How much the server may have under way.
@Suite struct WindowTests {
    /// The window of a channel.
    private static let window = 2 << 20

    /// Whatever the delay, the window is opened again as soon as a quarter of it is used: so the server waits for us only on a link
    /// that takes more than 1.5 MiB a round trip. And not for each packet, which would cost more than it brings.
    @Test func isOpenedByQuarters() async throws {
        let count = 32 << 20
        try await SSHDSandbox.run { box in
            try await FaultProxy.run(to: box.port, delay: .milliseconds(50)) { proxy in
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
                    #expect(sent >= quarters * InstalledLibrary.windowAdjustment)
                    #expect(sent <= 4 * quarters * InstalledLibrary.windowAdjustment)
                }
            }
        }
    }
}
