import BridgeSSH
import BridgeSSHTesting
import Testing

/// The library for an app's tests.
@Suite struct TestingProductTests {
    /// An app's code, which works with anything that runs commands.
    private func restart(_ service: String, on server: some SSHCommandRunning) async throws -> String {
        try await server.run("systemctl restart \(service)", check: true)
        return try await server.run("systemctl is-active \(service)").standardOutputText
    }

    @Test("a scripted server") func aScriptedServer() async throws {
        let server = ScriptedCommands()
        server.on("systemctl restart web")
        server.on("systemctl is-active web", answer: "active\n")
        #expect(try await restart("web", on: server) == "active\n")
        server.on("systemctl restart web", exits: 1, standardError: "no\n")
        let error = try await #require(throws: SSHError.self) { try await restart("web", on: server) }
        #expect(error.code == .commandExitNonzero && error.result?.standardErrorText == "no\n")
        await #expect(throws: ScriptedCommands.UnexpectedCommand.self) { try await server.run("rm -rf /") }
        #expect(server.commands == ["systemctl restart web", "systemctl is-active web", "systemctl restart web", "rm -rf /"])
    }

    @Test("a scripted server refuses and limits like a connection") func itRefusesAndLimitsAsAConnectionDoes() async throws {
        let server = ScriptedCommands()
        server.on("x", answer: "four")
        var options = SSHCommandOptions()
        options.outputLimit = 3
        let limited = await #expect(throws: SSHError.self) { try await server.run("x", options: options) }
        #expect(limited?.code == .commandOutputLimitExceeded)
        options.timeout = .zero
        let late = await #expect(throws: SSHError.self) { try await server.run("x", options: options) }
        #expect(late?.code == .commandTimedOut && late?.commandMayHaveRun == .no)
        let refused = await #expect(throws: SSHError.self) { try await server.run("x\0") }
        #expect(refused?.code == .localUsage)
    }

    @Test("a real server, a connection and a pool") func aRealServerAConnectionAndAPool() async throws {
        try await SSHTestServer.run(settings: "MaxSessions 3") { server in
            let output = try await SSHClient.withConnection(to: server.endpoint, configuration: server.configuration) {
                try await restart("web", on: ScriptedCommands.echoing($0))
            }
            #expect(output == "systemctl is-active web\n")
            let pooled = try await SSHConnectionPool.withPool { pool in
                try await restart(
                    "web", on: ScriptedCommands.echoing(pool.commands(on: server.endpoint, configuration: server.configuration)))
            }
            #expect(pooled == "systemctl is-active web\n")
            #expect(server.log.contains("alice"))
        }
    }
}

extension ScriptedCommands {
    /// Answers each command with what `echo` of it gives on a server.
    fileprivate static func echoing(_ server: some SSHCommandRunning) -> ScriptedCommands {
        let commands = ScriptedCommands()
        commands.on(where: { _ in true }) { try await server.run("echo \($0.command)") }
        return commands
    }
}
