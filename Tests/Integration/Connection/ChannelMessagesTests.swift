import BridgeSSH
import SSHTestSupport
import Testing

/// The bytes of this side's channel messages.
@Suite("Messages on a channel") struct ChannelMessagesTests {
    private func withServer(
        _ script: ServerScript, options: SSHCommandOptions = SSHCommandOptions(),
        _ check: (ScriptedServer, SSHCommandResult) throws -> Void
    ) async throws {
        try await ScriptedServer.run(script) { server in
            let result = try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"),
                configuration: server.testRun().configuration
            ) { try await $0.run("true", options: options) }
            try check(server, result)
        }
    }

    /// RFC 4254 section 8: the list of modes ends with TTY_OP_END, opcode 0, even if it is empty.
    @Test("terminal modes end with TTY_OP_END", arguments: [[], [53, 0, 0, 0, 1, 0]] as [[UInt8]]) func modes(_ modes: [UInt8])
        async throws
    {
        var options = SSHCommandOptions()
        options.pty = SSHPTYOptions(terminal: "vt100", columns: 80, rows: 24)
        options.pty?.modes = modes
        try await withServer(ServerScript(), options: options) { server, _ in
            let request = try #require(server.messages(98).first)
            let expected: [UInt8] =
                [0, 0, 0, 0, 0, 0, 0, 7] + Array("pty-req".utf8) + [1, 0, 0, 0, 5] + Array("vt100".utf8)
                + [0, 0, 0, 80, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0]
            let encoded = modes.isEmpty ? [0] : modes
            #expect(request == expected + [0, 0, 0, UInt8(encoded.count)] + encoded)
        }
    }

    /// RFC 4254 section 6.10: an exit status is 32 bits.
    @Test(
        "a status is passed on as it came, and a multiple of 256 is not a success",
        arguments: [1, 255, 256, 512, 0x0100_0000, 0xffff_ff00, 0xffff_ffff] as [UInt32])
    func status(_ status: UInt32) async throws {
        let script = ServerScript().on(.request("exec"), .accept, .exitStatus(status), .endOfOutput, .closeChannel)
        try await withServer(script) { _, result in
            #expect(result.termination == .exited(Int(status)))
            #expect(throws: SSHError.self) { try result.checked() }
        }
    }

    /// RFC 4254 section 5.4: the answer bears the recipient's number of the channel, which is the server's.
    @Test(
        "an answer to a request of the server's names its channel", arguments: InstalledLibrary.modes,
        [0, 256, 0xffff_fff0] as [UInt32])
    func answers(_ mode: PacketMode, ahead: UInt32) async throws {
        let ask = ServerAction.channelRequest("winadj@putty.projects.tartarus.org")
        var script = ServerScript().on(.request("exec"), .accept, ask, .renewKeys(), ask, .output("out"))
            .on(.data, ask).on(.data).on(.endOfInput, .exitStatus(0), .endOfOutput, .closeChannel)
        script.mode = mode
        script.channelNumbersAhead = ahead
        // A message of five bytes that begins as the answer does, with the number 100, is still the command's.
        let input = Array("date\n".utf8)
        try await ScriptedServer.run(script) { server in
            var configuration = server.testRun().configuration
            configuration.algorithms.ciphers = [mode.cipherName]
            let results = try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"), configuration: configuration
            ) { connection in
                var results: [SSHCommandResult] = []
                for _ in 0..<3 { results.append(try await connection.run("true", standardInput: .bytes(input))) }
                return results
            }
            #expect(results.map(\.standardOutputText) == ["out", "out", "out"])
            // The server makes two requests for each command, and one more for the first. The last answer may still be in
            // flight when the client has closed.
            while server.messages(100).count < 7 { try await Task.sleep(for: .milliseconds(10)) }
            let named = server.messages(100).map { $0.reduce(0) { $0 << 8 | UInt32($1) } }
            let numbers = (0..<3).map { UInt32($0) &+ ahead }
            #expect(
                named.sorted() == [numbers[0], numbers[0], numbers[0], numbers[1], numbers[1], numbers[2], numbers[2]].sorted())
            #expect(server.messages(94).map { Array($0.dropFirst(8)) } == [input, input, input])
            #expect(server.unexpectedMessages == [])
        }
    }

    /// RFC 4253 section 7.1: between KEXINIT and NEWKEYS only the exchange is sent; OpenSSH 10.4 ends the connection for it.
    @Test("no other message is sent while keys are renewed", arguments: InstalledLibrary.modes) func exchange(_ mode: PacketMode)
        async throws
    {
        var script = ServerScript().on(
            .request("exec"), .accept, .flood(.output(String(repeating: "x", count: 30_000)), bytes: 600_000), .renewKeys(),
            .flood(.output(String(repeating: "y", count: 30_000)), bytes: 600_000), .renewKeys(), .renewKeys(), .exitStatus(0),
            .renewKeys(), .endOfOutput, .renewKeys(), .closeChannel
        ).on(.data, .renewKeys(), .output("z")).on(.channel, .renewKeys(), .accept, .renewKeys())
        // A renewal for every keepalive would never end where one takes longer than the interval.
        for _ in 0..<10 { script = script.on(.globalRequest, .renewKeys(), .refuse) }
        script = script.on(.globalRequest, .refuse)
        script.mode = mode
        try await ScriptedServer.run(script) { server in
            var configuration = server.testRun().configuration
            configuration.algorithms.ciphers = [mode.cipherName]
            configuration.keepalive = SSHKeepaliveOptions(interval: .milliseconds(20), countMax: 1000)
            let results = try await SSHClient.withConnection(
                to: SSHEndpoint(unchecked: server.host, port: server.port, user: "alice"), configuration: configuration
            ) { connection in
                try await withThrowingTaskGroup(of: SSHCommandResult.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            try await connection.run("true", standardInput: .bytes([UInt8](repeating: 7, count: 300_000)))
                        }
                    }
                    var results: [SSHCommandResult] = []
                    for try await result in group { results.append(result) }
                    return results
                }
            }
            #expect(results.map(\.termination) == [.exited(0), .exited(0), .exited(0)])
            for result in results { #expect(result.standardOutput.count > 1_100_000) }
            #expect(server.unexpectedMessages == [])
            #expect(server.count(of: .newKeys) > 10)
        }
    }
}
