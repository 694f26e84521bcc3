import SSHTestSupport
import Testing

/// Checks the scripted server with OpenSSH's client.
@Suite struct ScriptedServerTests {
    private func ssh(_ server: ScriptedServer, _ options: [String] = []) async throws -> ProcessResult {
        let trusted = ["-F", "none", "-o", "UserKnownHostsFile=\(server.knownHosts)", "-o", "StrictHostKeyChecking=yes"]
        return try await ProcessRun.run(
            "ssh", trusted + ["-o", "BatchMode=yes"] + options + ["-p", "\(server.port)", "alice@\(server.host)", "a command"],
            environment: .exactly(["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]))
    }

    @Test("a default script runs a command") func aDefaultScriptRunsACommand() async throws {
        let script = ServerScript().on(
            .request("exec"), .accept, .output("out\n"), .errorOutput("err\n"), .exitStatus(7), .endOfOutput, .closeChannel)
        try await ScriptedServer.run(script) { server in
            for _ in 0..<2 {
                let result = try await ssh(server)
                #expect(result.output == "out\n" && result.errorOutput == "err\n")
                #expect(result.termination == .exited(7))
            }
            #expect(server.connectionCount == 2)
            #expect(server.count(of: .request("exec")) == 2)
        }
    }

    /// More blocks than fit into one byte of the cipher's counter, in both directions.
    @Test("the cipher's counter carries into its next byte") func theCipherCounterCarries() async throws {
        let long = String(repeating: "0123456789abcdef", count: 2000)
        let script = ServerScript().on(
            .request("exec"),
            [.accept] + Array(repeating: .output(long), count: 20) + [.exitStatus(0), .endOfOutput, .closeChannel])
        try await ScriptedServer.run(script) { server in
            let result = try await ssh(server)
            #expect(result.output == String(repeating: long, count: 20), "\(result.errorOutput)")
        }
    }

    /// Packets of many sizes in each mode, in both directions, and again with new keys.
    @Test("OpenSSH accepts every mode", arguments: PacketMode.all) func openSSHAcceptsEveryMode(mode: PacketMode) async throws {
        let texts = (0..<40).map { String(repeating: "x", count: $0 * 7) }
        let outputs = texts.map { ServerAction.output($0) }
        var script = ServerScript().on(
            .request("exec"),
            [.accept] + outputs + [.renewKeys()] + outputs + [.exitStatus(7), .endOfOutput, .closeChannel])
        script.mode = mode
        try await ScriptedServer.run(script) { server in
            let result = try await ssh(server)
            #expect(result.termination == .exited(7), "\(result.errorOutput)")
            #expect(result.output == texts.joined() + texts.joined())
            #expect(server.count(of: .newKeys) == 2)
        }
    }

    @Test("a changed host key is shown in a renewal") func aChangedHostKeyIsShownInARenewal() async throws {
        let script = ServerScript().on(.request("exec"), .accept, .renewKeys(KeyRenewal(changesHostKey: true)), .exitStatus(0))
        try await ScriptedServer.run(script) { server in
            let result = try await ssh(server)
            #expect(result.errorOutput.contains("Host key verification failed"), "\(result.errorOutput)")
        }
    }

    @Test("a flood sends all its bytes") func aFloodSendsAllItsBytes() async throws {
        let ignore = WirePacket([2] + [UInt8](repeating: 0, count: 4))
        let script = ServerScript().on(
            .request("exec"), .accept, .flood(.packet(ignore), bytes: 1 << 20), .output("after"), .exitStatus(0), .endOfOutput,
            .closeChannel)
        try await ScriptedServer.run(script) { server in
            let result = try await ssh(server)
            #expect(result.output == "after" && result.termination == .exited(0), "\(result.errorOutput)")
        }
    }

    @Test("each occurrence of an action has its own reaction") func eachOccurrenceHasItsReaction() async throws {
        let script = ServerScript().on(.channel, .refuseChannel(reason: 1, text: "not yet")).on(.channel, .accept)
        try await ScriptedServer.run(script) { server in
            // Each connection starts the script from the beginning.
            for _ in 0..<2 {
                let result = try await ssh(server)
                #expect(result.errorOutput.contains("administratively prohibited: not yet"))
            }
        }
    }

    static let misdeeds: [(ServerScript, String)] = [
        (ServerScript().on(.service, .disconnect(reason: 2, text: "go away")), "go away"),
        (ServerScript().on(.channel, .wrongMAC), "Corrupted MAC on input"),
        (ServerScript().on(.login("none"), .refuseLogin(["password"], partialSuccess: false)), "Permission denied (password)"),
        (ServerScript().on(.login("none"), .banner("read this\n"), .accept).on(.request("exec"), .refuse), "exec request failed"),
        (ServerScript().on(.service, .finish), "Connection closed by 127.0.0.1"),
        (ServerScript().on(.service, .reset), "Connection reset by 127.0.0.1"),
    ]

    @Test("OpenSSH reports each violation", arguments: misdeeds) func openSSHReportsEachViolation(
        script: ServerScript, words: String
    ) async throws {
        try await ScriptedServer.run(script) { server in
            let result = try await ssh(server)
            #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
            #expect(result.termination == .exited(255))
        }
    }

    @Test("a wrong host key signature is refused") func aWrongHostKeySignatureIsRefused() async throws {
        var script = ServerScript()
        script.spoilsHostKeySignature = true
        try await ScriptedServer.run(script) { server in
            let result = try await ssh(server)
            #expect(result.errorOutput.contains("signature"), "\(result.errorOutput)")
        }
    }
}
