import SSHTestSupport
import Testing

@testable import BridgeSSH

/// SSH_MSG_DISCONNECT at every stage: the server's text decides whether to try again (RFC 4253 section 11.1).
@Suite("Matrix: disconnects") struct DisconnectMatrix {
    struct Goodbye: Sendable, CustomTestStringConvertible {
        let reason: UInt32
        let text: String
        let retry: String
        init(_ reason: UInt32, _ text: String, _ retry: String) {
            self.reason = reason
            self.text = text
            self.retry = retry
        }
        var testDescription: String { "\(reason) \(text)" }
        var action: ServerAction { .disconnect(reason: reason, text: text) }
    }

    static let goodbyes: [Goodbye] = [
        Goodbye(11, "Server shutting down", "backoff"), Goodbye(2, "Timeout, your session not responding.", "backoff"),
        Goodbye(12, "Too many connections", "backoff"), Goodbye(2, "Packet corrupt", "backoff"),
        Goodbye(2, "", "backoff"), Goodbye(10, "", "backoff"), Goodbye(4_000_000_000, "?", "backoff"),
        Goodbye(2, "You are banned", "never"), Goodbye(1, "", "never"), Goodbye(15, "no such user", "never"),
        Goodbye(11, "disconnected by administrator: access denied", "never"),
    ]

    @Test("a disconnect while a command runs keeps the earlier output", arguments: goodbyes)
    func running(_ goodbye: Goodbye) async throws {
        let script = ServerScript().on(.request("exec"), .accept, .output("running\n"), .errorOutput("more\n"), goodbye.action)
        let expected = Expected.unknown(.sessionDisconnected, output: "running\n", retry: goodbye.retry)
        try await ScriptedCase("running", expected, script).check()
    }

    @Test("a disconnect before the command is sent: it has not run", arguments: goodbyes)
    func opening(_ goodbye: Goodbye) async throws {
        let expected = Expected.failure(.sessionDisconnected, retry: goodbye.retry, saying: goodbye.text)
        try await ScriptedCase("opening", expected, ServerScript().on(.channel, goodbye.action)).check()
    }

    @Test("a disconnect before the login", arguments: goodbyes)
    func beforeLogin(_ goodbye: Goodbye) async throws {
        let expected = Expected.failure(.kexDisconnected, retry: goodbye.retry, saying: goodbye.text)
        for clientAction in [ServerScript.ClientAction.keyExchange, .service] {
            try await ScriptedCase("before the login", expected, ServerScript().on(clientAction, goodbye.action)).check()
        }
    }

    private static let bye = ServerAction.disconnect(reason: 11, text: "bye")

    static let endings: [ScriptedCase] = [
        ScriptedCase(
            "after a whole command", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .output("out\n"), .errorOutput("err\n"), .exitStatus(0), .endOfOutput, .closeChannel,
                bye)),
        ScriptedCase(
            "after a whole command without output", .success(""),
            ServerScript().on(.request("exec"), .accept, .exitStatus(0), .endOfOutput, .closeChannel, bye)),
        ScriptedCase(
            "after a whole command that failed", .remote(.commandExitNonzero, 3, output: "out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .exitStatus(3), .endOfOutput, .closeChannel, bye)),
        ScriptedCase(
            "after the end of output, the channel still open", .success("out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .endOfOutput, .exitStatus(0), bye)),
        ScriptedCase(
            "after a status, but before the end of output",
            Expected(
                code: .sessionDisconnected, status: 198, commandMayHaveRun: .yes, retry: "backoff", output: "out\n",
                remoteStatus: 3),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .exitStatus(3), bye)),
        ScriptedCase(
            "after the end of output, but before a status", .unknown(.sessionDisconnected, output: "out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .endOfOutput, bye)),
        ScriptedCase(
            "corruption after a whole command", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .output("out\n"), .exitStatus(0), .endOfOutput, .closeChannel, .wrongMAC)),
        ScriptedCase(
            "corruption before the end", .unknown(.sessionProtocolError, output: "out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .wrongMAC, .output("never read\n"))),
    ]

    @Test("the connection's end in one packet with the command's end", arguments: endings)
    func ending(_ test: ScriptedCase) async throws { try await test.check() }

    @Test("no output is lost, doubled or reordered, however much waits for a slow reader")
    func muchOutput() async throws {
        // Lengths that never meet the length of a read, so that a message is cut by it.
        let out = (0..<55).map { number in String(repeating: "\(number % 10)", count: 20_001) }
        let err = (0..<7).map { number in String(repeating: "\(number)", count: 9_973) }
        var actions: [ServerAction] = [.accept]
        for index in out.indices {
            actions.append(.output(out[index]))
            if index < err.count { actions.append(.errorOutput(err[index])) }
        }
        actions += [.exitStatus(0), .endOfOutput, .closeChannel, Self.bye]
        try await ScriptedServer.run(ServerScript().on(.request("exec"), actions)) { server in
            let testRun = server.testRun()
            try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: testRun.host, port: testRun.port, user: testRun.user),
                configuration: testRun.configuration
            ) { connection in
                let outcome = try await connection.execute("true", standardError: .stream) { execution in
                    // Nothing is read before everything has come: then the disconnect message finds partly read messages.
                    while await connection.session.fault == nil { try await Task.sleep(for: .milliseconds(5)) }
                    return (try await Self.all(of: execution.standardOutput), try await Self.all(of: execution.standardError))
                }
                let read = try outcome.checked()
                #expect(read.0 == out.joined())
                #expect(read.1 == err.joined())
            }
        }
    }

    private static func all(of output: SSHOutput) async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in output { bytes += chunk.bytes }
        return String(decoding: bytes, as: UTF8.self)
    }
}
