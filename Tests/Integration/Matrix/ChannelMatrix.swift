import SSHTestSupport
import Testing

@testable import BridgeSSH

/// Channels that a server refuses, forgets, and ends in every way there is.
@Suite("Matrix: channels") struct ChannelMatrix {
    private static func refusing(_ reason: UInt32, _ text: String) -> ServerScript {
        ServerScript().on(.channel, .refuseChannel(reason: reason, text: text))
    }

    static let openings: [ScriptedScene] = [
        ScriptedScene("prohibited", .failure(.channelProhibited, saying: "not on a Sunday"), refusing(1, "not on a Sunday")),
        ScriptedScene("prohibited without a word", .failure(.channelProhibited), refusing(1, "")),
        ScriptedScene("connect failed, in OpenSSH's words", .failure(.channelSessionLimit), refusing(2, "open failed")),
        ScriptedScene("connect failed, without a message", .failure(.channelSessionLimit), refusing(2, "")),
        ScriptedScene(
            "connect failed, in words of a limit", .failure(.channelSessionLimit), refusing(2, "Too many sessions for this user")),
        ScriptedScene(
            "connect failed, in other words", .failure(.channelProhibited, saying: "container did not start"),
            refusing(2, "container did not start")),
        ScriptedScene("unknown type", .failure(.channelProhibited), refusing(3, "what is a session?")),
        ScriptedScene("short of resources", .failure(.channelSessionLimit), refusing(4, "out of memory")),
        ScriptedScene("a reason that nobody knows", .failure(.channelProhibited), refusing(99, "because")),
        ScriptedScene("no answer", .failure(.channelTimedOut), ServerScript().on(.channel)) { $1.connectTimeout = 2 },
        ScriptedScene("closed", .failure(.sessionConnectionLost), ServerScript().on(.channel, .finish)),
        ScriptedScene("reset", .failure(.sessionConnectionLost), ServerScript().on(.channel, .reset)),
        ScriptedScene("a wrong MAC", .failure(.sessionProtocolError), ServerScript().on(.channel, .wrongMAC)),
        ScriptedScene("garbage", .failure(.sessionProtocolError), ServerScript().on(.channel, .garbage(512))),
    ]

    @Test("a channel that does not open", arguments: openings)
    func opening(_ scene: ScriptedScene) async throws { try await scene.play() }

    static let requests: [ScriptedScene] = [
        ScriptedScene("exec refused", .failure(.channelExecDenied), ServerScript().on(.request("exec"), .refuse)),
        ScriptedScene(
            "exec refused, and the channel closed", .failure(.channelExecDenied),
            ServerScript().on(.request("exec"), .refuse, .endOfOutput, .closeChannel)),
        ScriptedScene("no terminal", .failure(.channelPTYDenied), ServerScript().on(.request("pty-req"), .refuse)) {
            $1.tty = true
        },
        ScriptedScene("no answer to exec", .unknown(.channelTimedOut), ServerScript().on(.request("exec"))) {
            $1.connectTimeout = 2
        },
        ScriptedScene("no answer to pty-req", .failure(.channelTimedOut), ServerScript().on(.request("pty-req"))) {
            $1.tty = true
            $1.connectTimeout = 2
        },
        ScriptedScene(
            "the channel closed instead of an answer", .unknown(.commandOutcomeUnknown),
            ServerScript().on(.request("exec"), .endOfOutput, .closeChannel)
        ) { $1.connectTimeout = 5 },
        ScriptedScene(
            "the channel closed instead of a terminal", .failure(.channelPTYDenied),
            ServerScript().on(.request("pty-req"), .endOfOutput, .closeChannel)
        ) {
            $1.tty = true
            $1.connectTimeout = 5
        },
        ScriptedScene(
            "the connection closed at exec", .unknown(.sessionConnectionLost), ServerScript().on(.request("exec"), .finish)),
        ScriptedScene(
            "the connection closed at pty-req", .failure(.sessionConnectionLost), ServerScript().on(.request("pty-req"), .finish)
        ) { $1.tty = true },
        ScriptedScene("a wrong MAC at exec", .unknown(.sessionProtocolError), ServerScript().on(.request("exec"), .wrongMAC)),
    ]

    @Test("a request that is not granted", arguments: requests)
    func request(_ scene: ScriptedScene) async throws { try await scene.play() }

    /// Nothing public asks for a subsystem yet.
    @Test("a subsystem that is not there, and one that is") func subsystem() async throws {
        let box = try await Ground.plain.box()
        try await box.connected { connection in
            let session = connection.session
            let missing = try await session.openChannel()
            let fault = await #expect(throws: Fault.self) { try await session.startSubsystem(missing, "no-such-subsystem") }
            let error = await connection.recorder.error(try #require(fault), session: session)
            #expect(error.code == Self.missingSubsystem.code)
            #expect(error.exitStatus.rawValue == Self.missingSubsystem.status)
            #expect(error.commandMayHaveRun == .no)
            await session.closeChannel(missing)
            // It is a verdict on the channel, not on the connection.
            let present = try await session.openChannel()
            try await session.startSubsystem(present, "sftp")
            await session.closeChannel(present)
        }
    }

    static let missingSubsystem = Expected.failure(.channelSubsystemMissing)

    static let endings: [ScriptedScene] = [
        ScriptedScene("polite", .success(""), ServerScript()),
        ScriptedScene(
            "chatter in between", .success("out\n"),
            ServerScript().on(
                .request("exec"), .ignore(100), .accept, .debug("working"), .output("out\n"), .ignore(0),
                .globalRequest("hostkeys-00@openssh.com"), .exitStatus(0), .endOfOutput, .closeChannel)),
        ScriptedScene(
            "status, but no end of output", .success("out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .exitStatus(0), .closeChannel)),
        ScriptedScene(
            "closed without a status", .unknown(.commandOutcomeUnknown, output: "out\n"),
            ServerScript().on(.request("exec"), .accept, .output("out\n"), .endOfOutput, .closeChannel)),
        ScriptedScene(
            "killed", .signal(9),
            ServerScript().on(
                .request("exec"), .accept, .exitSignal("KILL", message: "out of memory"), .endOfOutput, .closeChannel)),
        ScriptedScene(
            "output behind the status", .success("late\n"),
            ServerScript().on(.request("exec"), .accept, .exitStatus(0), .output("late\n"), .endOfOutput, .closeChannel)),
        ScriptedScene(
            "the end of the connection behind the end of the channel", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .output("out\n"), .exitStatus(0), .endOfOutput, .closeChannel, .finish)),
        ScriptedScene(
            "data of a kind that there is not", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .message(95, [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 33]), .output("out\n"),
                .exitStatus(0), .endOfOutput, .closeChannel)
        ) { $1.timeout = 5 },
        // libssh2 cuts it off at the length that was agreed on, without a word.
        ScriptedScene(
            "more in a message than it may hold",
            Expected(code: .sessionProtocolError, status: 198, commandMayHaveRun: .yes, remoteStatus: 0),
            ServerScript().on(
                .request("exec"), .accept, .output(String(repeating: "x", count: 36_000)), .exitStatus(0), .endOfOutput,
                .closeChannel)),
        ScriptedScene(
            "another channel's data", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept, .message(94, [0, 0, 0, 9, 0, 0, 0, 1, 33]), .output("out\n"), .exitStatus(0),
                .endOfOutput, .closeChannel)),
        ScriptedScene(
            "a channel that nobody asked for", .success("out\n"),
            ServerScript().on(
                .request("exec"), .accept,
                .message(90, [0, 0, 0, 7] + Array("session".utf8) + [0, 0, 0, 5, 0, 16, 0, 0, 0, 0, 128, 0]), .output("out\n"),
                .exitStatus(0), .endOfOutput, .closeChannel)),
        ScriptedScene(
            "messages that nobody asked for", .unknown(.sessionProtocolError),
            ServerScript().on(
                .request("exec"), .message(52, []), .message(99, [0, 0, 0, 77]), .message(192, [1, 2, 3]), .accept,
                .output("out\n"),
                .exitStatus(0), .endOfOutput, .closeChannel)),
    ]

    @Test("a command that ends", arguments: endings)
    func ending(_ scene: ScriptedScene) async throws { try await scene.play() }
}
