import SSHTestSupport
import Testing

@testable import BridgeSSH

/// Channels that a server refuses, forgets, or ends, in every possible way.
@Suite("Matrix: channels") struct ChannelMatrix {
    private static func refusing(_ reason: UInt32, _ text: String) -> ServerScript {
        ServerScript().on(.channel, .refuseChannel(reason: reason, text: text))
    }

    static let openings: [ScriptedCase] = [
        ScriptedCase("prohibited", .failure(.channelProhibited, saying: "not on a Sunday"), refusing(1, "not on a Sunday")),
        ScriptedCase("prohibited without a word", .failure(.channelProhibited), refusing(1, "")),
        ScriptedCase("connect failed, in OpenSSH's words", .failure(.channelSessionLimit), refusing(2, "open failed")),
        ScriptedCase("connect failed, without a message", .failure(.channelSessionLimit), refusing(2, "")),
        ScriptedCase(
            "connect failed, in words of a limit", .failure(.channelSessionLimit), refusing(2, "Too many sessions for this user")),
        ScriptedCase(
            "connect failed, in other words", .failure(.channelProhibited, saying: "container did not start"),
            refusing(2, "container did not start")),
        ScriptedCase("unknown type", .failure(.channelProhibited), refusing(3, "what is a session?")),
        ScriptedCase("short of resources", .failure(.channelSessionLimit), refusing(4, "out of memory")),
        ScriptedCase("an unknown reason", .failure(.channelProhibited), refusing(99, "because")),
        ScriptedCase("no answer", .failure(.channelTimedOut), ServerScript().on(.channel)) { $1.connectTimeout = 2 },
        ScriptedCase("closed", .failure(.sessionConnectionLost), ServerScript().on(.channel, .finish)),
        ScriptedCase("reset", .failure(.sessionConnectionLost), ServerScript().on(.channel, .reset)),
        ScriptedCase("a wrong MAC", .failure(.sessionProtocolError), ServerScript().on(.channel, .wrongMAC)),
        ScriptedCase("garbage", .failure(.sessionProtocolError), ServerScript().on(.channel, .garbage(512))),
    ]

    @Test("a refused channel", arguments: openings)
    func opening(_ test: ScriptedCase) async throws { try await test.check() }

    static let requests: [ScriptedCase] = [
        ScriptedCase("exec refused", .failure(.channelExecDenied), ServerScript().on(.request("exec"), .refuse)),
        ScriptedCase(
            "exec refused, and the channel closed", .failure(.channelExecDenied),
            ServerScript().on(.request("exec"), .refuse, .endOfOutput, .closeChannel)),
        ScriptedCase("no terminal", .failure(.channelPTYDenied), ServerScript().on(.request("pty-req"), .refuse)) {
            $1.tty = true
        },
        ScriptedCase("no answer to exec", .unknown(.channelTimedOut), ServerScript().on(.request("exec"))) {
            $1.connectTimeout = 2
        },
        ScriptedCase("no answer to pty-req", .failure(.channelTimedOut), ServerScript().on(.request("pty-req"))) {
            $1.tty = true
            $1.connectTimeout = 2
        },
        ScriptedCase(
            "the channel closed instead of an answer", .unknown(.commandOutcomeUnknown),
            ServerScript().on(.request("exec"), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "the channel closed instead of a terminal", .failure(.channelPTYDenied),
            ServerScript().on(.request("pty-req"), .endOfOutput, .closeChannel)
        ) { $1.tty = true },
        ScriptedCase(
            "the connection closed at exec", .unknown(.sessionConnectionLost), ServerScript().on(.request("exec"), .finish)),
        ScriptedCase(
            "the connection closed at pty-req", .failure(.sessionConnectionLost), ServerScript().on(.request("pty-req"), .finish)
        ) { $1.tty = true },
        ScriptedCase("a wrong MAC at exec", .unknown(.sessionProtocolError), ServerScript().on(.request("exec"), .wrongMAC)),
    ]

    @Test("a refused request", arguments: requests)
    func request(_ test: ScriptedCase) async throws { try await test.check() }

    /// Nothing public asks for a subsystem yet.
    @Test("a missing subsystem and an existing one") func subsystem() async throws {
        let box = try await SharedSandbox.plain.box()
        try await box.connected { connection in
            let session = connection.session
            let missing = try await session.openChannel()
            let fault = await #expect(throws: Fault.self) { try await session.startSubsystem(missing, "no-such-subsystem") }
            let error = await connection.recorder.error(try #require(fault), session: session)
            #expect(error.code == Self.missingSubsystem.code)
            #expect(error.exitStatus.rawValue == Self.missingSubsystem.status)
            #expect(error.commandMayHaveRun == .no)
            await session.closeChannel(missing)
            // The failure ends the channel, not the connection.
            let present = try await session.openChannel()
            try await session.startSubsystem(present, "sftp")
            await session.closeChannel(present)
        }
    }

    static let missingSubsystem = Expected.failure(.channelSubsystemMissing)

    private static func wide(_ remote: Int, passedOnAs status: Int32) -> Expected {
        Expected(
            code: .commandExitNonzero, status: status, commandMayHaveRun: .yes, remoteStatus: remote,
            words: ["ended with status \(remote), which cannot be an exit status here"])
    }

    static let endings: [ScriptedCase] = [
        ScriptedCase("polite", .success(""), ServerScript()),
        ScriptedCase(
            "chatter in between", .success("out\n"),
            ServerScript().on(
                .request("exec"), .ignore(100), .accept, .debug("working"), .output("out\n"), .ignore(0),
                .globalRequest("hostkeys-00@openssh.com"), .exitStatus(0), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "status, but no end of output", .success("out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .exitStatus(0), .closeChannel)),
        ScriptedCase(
            "closed without a status", .unknown(.commandOutcomeUnknown, output: "out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .endOfOutput, .closeChannel)),
        // RFC 4254 section 6.10 has 32 bits for a status, and wait(2) eight.
        ScriptedCase(
            "a status that is a multiple of 256", wide(512, passedOnAs: 255),
            ServerScript().on(.request("exec"), .accept, .exitStatus(512), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "a status of a Windows server", wide(0xc000_013a, passedOnAs: 0x3a),
            ServerScript().on(.request("exec"), .accept, .exitStatus(0xc000_013a), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "killed", .signal(9),
            ServerScript().on(
                .request("exec"), .accept, .exitSignal("KILL", message: "out of memory"), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "output behind the status", .success("late\n"),
            ServerScript().on(.request("exec"), .accept, .exitStatus(0), .output("late\n"), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "the end of the connection after the end of the channel", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .output("out\n"), .exitStatus(0), .endOfOutput, .closeChannel, .finish)),
        ScriptedCase(
            "data of an unknown kind", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .message(95, [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 33]), .output("out\n"),
                .exitStatus(0), .endOfOutput, .closeChannel)
        ) { $1.timeout = 60 },
        // libssh2 silently cuts the message off at the agreed length.
        ScriptedCase(
            "more in a message than it may hold",
            Expected(code: .sessionProtocolError, status: 198, commandMayHaveRun: .yes, remoteStatus: 0),
            ServerScript().on(
                .request("exec"), .accept, .output(String(repeating: "x", count: 36_000)), .exitStatus(0), .endOfOutput,
                .closeChannel)),
        stray("data for a channel that was never opened", 94, [0, 0, 0, 9, 0, 0, 0, 1, 33]),
        stray("standard error for a channel that was never opened", 95, [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 33]),
        lying("a message with a length of 1000 bytes, and 3 bytes", [0, 0, 0, 0, 0, 0, 3, 232, 97, 98, 99]),
        lying("a message with a length of 4 bytes, and 3 bytes", [0, 0, 0, 0, 0, 0, 0, 4, 97, 98, 99]),
        lying("a message with a length of 1 byte, and 3 bytes", [0, 0, 0, 0, 0, 0, 0, 1, 97, 98, 99]),
        ScriptedCase(
            "a channel without a request", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept,
                .message(90, [0, 0, 0, 7] + Array("session".utf8) + [0, 0, 0, 5, 0, 16, 0, 0, 0, 0, 128, 0]), .output("out\n"),
                .exitStatus(0), .endOfOutput, .closeChannel)),
        ScriptedCase(
            "messages without a request", .unknown(.sessionProtocolError),
            ServerScript().on(
                .request("exec"), .message(52, []), .message(99, [0, 0, 0, 77]), .message(192, [1, 2, 3]), .accept,
                .output("out\n"),
                .exitStatus(0), .endOfOutput, .closeChannel)),
    ]

    /// A command whose output has this SSH_MSG_CHANNEL_DATA.
    private static func lying(_ name: String, _ content: [UInt8]) -> ScriptedCase {
        ScriptedCase(
            name, Expected(code: .sessionProtocolError, status: 198, commandMayHaveRun: .yes, remoteStatus: 0),
            ServerScript().on(
                .request("exec"), .accept, .output("out\n"), .exitStatus(0), .message(94, content), .endOfOutput, .closeChannel))
    }

    /// A command with this message, which belongs to no channel.
    private static func stray(_ name: String, _ number: UInt8, _ content: [UInt8]) -> ScriptedCase {
        ScriptedCase(
            name,
            Expected(
                code: .sessionProtocolError, status: 198, commandMayHaveRun: .yes, remoteStatus: 0,
                words: ["sent message \(number) where the protocol does not allow it"]),
            ServerScript().on(
                .request("exec"), .accept, .output("out\n"), .exitStatus(0), .message(number, content), .endOfOutput,
                .closeChannel))
    }

    @Test("a command that ends", arguments: endings)
    func ending(_ test: ScriptedCase) async throws { try await test.check() }
}
