import BridgeSSH
import SSHTestSupport
import Testing

/// ssh's escape characters in a terminal session.
@Suite("Escape characters of a terminal session")
struct SessionKeysTests {
    /// libssh2, and OpenSSH's ssh.
    private static let ways: [[String]] = [[], ["--via", "ssh"]]

    private func session(
        _ box: SSHDSandbox, options: [String] = [], through port: Int? = nil, _ command: String,
        body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        var testRun = try await box.testRun(.alice, command, through: port)
        testRun.tty = true
        return try await testRun.onTerminal(options, body: body)
    }

    @Test("~. leaves an unresponsive server, and says that the command may still run", arguments: ways)
    func leave(_ way: [String]) async throws {
        let box = try await SharedSandbox.plain.box()
        try await FaultProxy.run(to: box.port) { proxy in
            let result = try await session(box, options: way, through: proxy.port, "echo rea''dy; cat") { process in
                try await process.standardOutput.wait(for: "ready")
                await proxy.trigger(.stall)
                try await process.write("\r~.")
            }
            #expect(result.exitStatus == 130, "\(result.output)")
            let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("ssh.local.cancelled") && words.contains("may still run"), "\(words)")
        }
    }

    @Test("~. ends a responsive command", arguments: ways)
    func end(_ way: [String]) async throws {
        let box = try await SharedSandbox.plain.box()
        let result = try await session(box, options: way, "echo rea''dy; cat") { process in
            try await process.standardOutput.wait(for: "ready")
            try await process.write("~.")
        }
        #expect(result.exitStatus == 130 && result.output.contains("ssh.local.cancelled"), "\(result.output)")
    }

    @Test("~? lists the escapes, ~~ types a tilde, and EscapeChar none passes everything on", arguments: ways)
    func help(_ way: [String]) async throws {
        let box = try await SharedSandbox.plain.box()
        let listed = try await session(box, options: way, "echo rea''dy; read line; echo \"got <$line>\"") { process in
            var place = try await process.standardOutput.wait(for: "ready")
            try await process.write("~?")
            place = try await process.standardOutput.wait(for: "Escape characters, at the beginning of a line:", after: place)
            try await process.write("~~x\r")
        }
        #expect(listed.exitStatus == 0 && listed.output.contains("got <~x>"), "\(listed.output)")
        let none = way + ["-o", "EscapeChar=none"]
        let plain = try await session(box, options: none, "echo rea''dy; read line; echo \"got <$line>\"") { process in
            try await process.standardOutput.wait(for: "ready")
            try await process.write("~.\r")
        }
        #expect(plain.exitStatus == 0 && plain.output.contains("got <~.>"), "\(plain.output)")
    }
}
