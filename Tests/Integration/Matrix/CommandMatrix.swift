import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// How remote commands end.
@Suite("Matrix: commands") struct CommandMatrix {
    /// Signals by their names in RFC 4254 section 6.10, and one that it does not list.
    private static let signals: [(String, Int32)] = [
        ("HUP", 1), ("INT", 2), ("QUIT", 3), ("ILL", 4), ("ABRT", 6), ("FPE", 8), ("KILL", 9), ("USR1", 10), ("SEGV", 11),
        ("USR2", 12), ("PIPE", 13), ("ALRM", 14), ("TERM", 15),
    ]

    static let endings: [(String, Expected)] =
        [
            ("true", .success), ("echo out", .success("out\n")), ("echo err >&2", .success("")),
            ("echo 'No such file or directory' >&2", .success("")),
            ("echo kept; exit 1", .remote(.commandExitNonzero, 1, output: "kept\n")),
            ("exit 2", .remote(.commandExitNonzero, 2)), ("exit 128", .remote(.commandExitNonzero, 128)),
            ("exit 193", .remote(.commandExitNonzero, 193)), ("exit 255", .remote(.commandExitNonzero, 255)),
            ("exit 127", .remote(.commandNotFound, 127)), ("frobnicate", .remote(.commandNotFound, 127)),
            ("/etc/passwd", .remote(.commandNotExecutable, 126)), ("/tmp", .remote(.commandNotExecutable, 126)),
            ("exit 126", .remote(.commandNotExecutable, 126)),
            // sshd sends its own name for it: the number is lost.
            (
                "ulimit -c 0; exec sh -c 'kill -BUS $$; sleep 5'",
                Expected(code: .commandKilledBySignal, status: 128, commandMayHaveRun: .yes)
            ),
            ("sh -c 'kill -9 $$'; exit", .remote(.commandExitNonzero, 137)),
            ("echo 'Host key verification failed.' >&2; exit 255", .remote(.commandExitNonzero, 255)),
            ("echo 'This account is currently not available.'; exit 0", .success("This account is currently not available.\n")),
        ] + signals.map { ("ulimit -c 0; exec sh -c 'kill -\($0.0) $$; sleep 5'", .signal($0.1)) }

    @Test("commands that end in different ways", arguments: endings)
    func ending(command: String, expected: Expected) async throws {
        try await Gate.shared.pass {
            let box = try await SharedSandbox.plain.box()
            try await box.testRun(.alice, command).check(expected)
        }
    }

    /// A command whose time limit passes: libssh2 1.11 can signal it, and then its end is known.
    private static func ended(_ code: SSHError.Code) -> Expected {
        var expected = Expected.unknown(code, output: "a")
        if InstalledLibrary.is111 { expected.commandMayHaveRun = .yes }
        return expected
    }

    static let cases: [SSHDCase] = [
        SSHDCase("nologin", .remote(.commandLoginShellDenied, 1), as: .noshell),
        SSHDCase("sftp only", .remote(.commandLoginShellDenied, 1), as: .sftponly),
        SSHDCase("forced sftp", .remote(.commandLoginShellDenied, 1), server: "ForceCommand internal-sftp"),
        SSHDCase(
            "forced command", .success("forced: uptime\n"), server: "ForceCommand echo forced: $SSH_ORIGINAL_COMMAND", "uptime"),
        SSHDCase("command timeout", ended(.commandTimedOut), "printf a; sleep 300") { $1.timeout = 1 },
        SSHDCase("idle timeout", ended(.commandIdleTimedOut), "printf a; sleep 300") { $1.idleTimeout = 1 },
        SSHDCase("drained", .success("kept\n"), "sleep 300 & echo kept") { $1.drain = 0.5 },
        SSHDCase("drained after a failure", .remote(.commandExitNonzero, 4, output: "kept\n"), "sleep 300 & echo kept; exit 4") {
            $1.drain = 0.5
        },
        SSHDCase("a short background child is waited for", .success("now\nlater\n"), "(sleep 1; echo later) & echo now"),
        SSHDCase("no terminal allowed", .failure(.channelPTYDenied), server: "PermitTTY no") { $1.tty = true },
        SSHDCase(
            "no process allowed", .failure(.channelExecDenied), pam: true,
            options: {
                $0.files["/etc/pam.d/sshd"] = SandboxFile(Services.oneProcess)
                $0.files["/etc/security/limits.conf"] = SandboxFile("* hard nproc 1\n")
            }),
        SSHDCase(
            "a command's own message about commands that are not started",
            .remote(.commandExitNonzero, 3, output: "exec is not supported on this storage driver\n"),
            "echo 'exec is not supported on this storage driver'; exit 3"),
        SSHDCase("no session allowed", .failure(.channelSessionLimit), server: "MaxSessions 0"),
        SSHDCase("one session allowed", .success, server: "MaxSessions 1"),
        SSHDCase("channel timeout", .unknown(.commandOutcomeUnknown), server: "ChannelTimeout session:*=1s", "sleep 300"),
        SSHDCase("binary output", .success("a\u{0}b"), "printf 'a\\0b'"),
        SSHDCase("input", .success("through"), "cat") { $1.input = Array("through".utf8) },
        SSHDCase("input that is not read", .success, "true") { $1.input = [UInt8](repeating: 0, count: 1 << 20) },
    ]

    @Test("commands on a separate server", arguments: cases)
    func check(_ test: SSHDCase) async throws { try await test.check() }

    static let tooMuch = SSHError.Code.commandOutputLimitExceeded

    @Test("collected output has a limit, streamed output has none") func outputLimit() async throws {
        let box = try await SharedSandbox.plain.box()
        var testRun = try await box.testRun(.alice, "yes | head -c 3000")
        testRun.outputLimit = 1000
        let (error, output) = try await testRun.byLibrary()
        #expect(error?.code == Self.tooMuch)
        #expect(output.count == 1000)
        let json = try await testRun.byExecutable(["--json"])
        #expect(json.termination == .exited(198))
        let object = try JSON(parsing: Data(json.standardOutput))
        #expect(object["stdout"] == .string(String(repeating: "y\n", count: 500)))
        #expect(object["error"]?["code"] == .string(Self.tooMuch.rawValue))
        let plain = try await testRun.byExecutable()
        #expect(plain.termination == .exited(0))
        #expect(plain.standardOutput.count == 3000)
    }
}
