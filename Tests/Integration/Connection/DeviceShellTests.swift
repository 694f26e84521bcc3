import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// `run --shell`, and the messages about servers that start no commands.
@Suite("Devices with only a shell") struct DeviceShellTests {
    private static func with(
        _ program: String = DeviceShell.ios, _ lines: String = "", _ body: (SSHDSandbox, TestRun) async throws -> Void
    ) async throws {
        try await SSHDSandbox.run(DeviceShell.sandbox(program, lines)) { box in try await body(box, try await box.testRun()) }
    }

    private static func run(
        _ testRun: TestRun, _ command: String, _ options: [String] = [], timeout: Double? = nil
    ) async throws -> ProcessResult {
        var testRun = testRun
        (testRun.command, testRun.timeout) = (command, timeout)
        return try await testRun.byExecutable(["--shell"] + options)
    }

    @Test("a device that refuses commands gets the hint to use --shell")
    func denied() async throws {
        try await Self.with { _, testRun in
            var testRun = testRun
            testRun.command = "show version"
            let plain = try await testRun.byExecutable(["-v"])
            #expect(plain.exitStatus == 1 && plain.output == DeviceShell.denial + "\n", "\(plain)")
            #expect(plain.errorOutput.contains("starts no commands") && plain.errorOutput.contains("--shell"), "\(plain)")
            let report = try JSON(parsing: Data(try await testRun.byExecutable(["--json"]).output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.command.exit-nonzero")
            #expect(report["error"]?["cause"]?["code"]?.text == "remote.exec-denied")
            #expect(report["error"]?["commandMayHaveRun"]?.text == "yes")
        }
    }

    @Test("a command's output has no echo and no prompts, and the status is unknown")
    func output() async throws {
        try await Self.with { box, testRun in
            let plain = try await Self.run(testRun, "show version")
            #expect(plain.output == "Cisco IOS XE Software\nr1 uptime is 1 week\n" && plain.exitStatus == 0, "\(plain)")
            #expect(plain.errorOutput.contains("exit status of the command is unknown"), "\(plain)")
            let quiet = try await Self.run(testRun, "show version", ["-q"])
            #expect(quiet.errorOutput.isEmpty && quiet.exitStatus == 0, "\(quiet)")
            let report = try JSON(parsing: Data(try await Self.run(testRun, "show version", ["--json"]).output.utf8))
            #expect(report["stdout"]?.text == "Cisco IOS XE Software\nr1 uptime is 1 week\n")
            #expect(report["exitStatus"] == .null && report["shell"]?["exitStatus"]?.text == "unknown")
            #expect(report["shell"]?["prompt"]?.text == "r1#" && report["outcome"]?.text == "succeeded")
            #expect(box.url(of: "/tmp/typed").text == String(repeating: "terminal length 0\nshow version\n", count: 3))
        }
    }

    static let outputs: [(String, String)] = [
        ("show users", "before\nr1#\nafter\n"),
        ("show colours", "done!0%\n"),
        ("show pages", "one\ntwo\nthree\n"),
        ("show tech", "one\ntwo\nthree\n"),
        ("configure terminal", "Enter configuration commands, one per line.\n"),
    ]

    @Test("prompts in the output, colours, pagers and another mode", arguments: outputs)
    func oddities(_ command: String, _ expected: String) async throws {
        try await Self.with { _, testRun in
            let result = try await Self.run(testRun, command)
            #expect(result.output == expected && result.exitStatus == 0, "\(result)")
        }
    }

    @Test("a line editor that redraws lines, and a pager that no command switches off")
    func routerOS() async throws {
        try await Self.with(DeviceShell.routerOS) { _, testRun in
            let plain = try await Self.run(testRun, "/system identity print")
            #expect(plain.output == "  name: MikroTik\n" && plain.exitStatus == 0, "\(plain)")
            let paged = try await Self.run(testRun, "/log print")
            #expect(paged.output == "one\ntwo D\n" && paged.exitStatus == 0, "\(paged)")
            let wrong = try await Self.run(testRun, "/nonsense")
            #expect(wrong.exitStatus == 198 && wrong.errorOutput.contains("bad command name"), "\(wrong)")
        }
    }

    @Test("a rejected command is never a success")
    func rejected() async throws {
        try await Self.with { _, testRun in
            let plain = try await Self.run(testRun, "shwo version")
            #expect(plain.exitStatus == 198 && plain.output.contains("% Invalid input"), "\(plain)")
            let report = try JSON(parsing: Data(try await Self.run(testRun, "shwo version", ["--json"]).output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.command.rejected")
            #expect(report["error"]?["commandMayHaveRun"]?.text == "no")
        }
    }

    @Test(
        "an error within longer output is not a rejection; an error that is the whole answer leaves the outcome unknown, unless it is the parser's"
    )
    func failures() async throws {
        try await Self.with(DeviceShell.junos) { _, testRun in
            let later = try await Self.run(testRun, "request update")
            #expect(later.exitStatus == 0 && later.output == "started: step 1 done\nerror: step 2 failed\n", "\(later)")
            for (command, mayHaveRun) in [("commit", "unknown"), ("comit", "no")] {
                let report = try JSON(parsing: Data(try await Self.run(testRun, command, ["--json"]).output.utf8))
                #expect(report["error"]?["code"]?.text == "ssh.command.rejected", "\(report)")
                #expect(report["error"]?["commandMayHaveRun"]?.text == mayHaveRun, "\(report)")
            }
        }
    }

    @Test("neither a redrawn prompt nor a message from the device ends a command")
    func redrawn() async throws {
        try await Self.with(DeviceShell.redrawing) { box, testRun in
            let result = try await Self.run(testRun, "/system reboot")
            #expect(result.exitStatus == 0 && result.output == "running...\n", "\(result)")
            #expect(box.url(of: "/tmp/typed").text == "/system reboot\n")
        }
        try await Self.with(DeviceShell.logging) { box, testRun in
            let result = try await Self.run(testRun, "copy running-config flash:")
            #expect(result.exitStatus == 0 && result.output.hasSuffix("real output\n"), "\(result)")
            #expect(box.url(of: "/tmp/typed").text == "copy running-config flash:\n")
        }
    }

    @Test("with only a prompt, the outcome is unknown after the device has been silent long enough")
    func unechoed() async throws {
        let device = "stty -echo; printf r1#; IFS= read -r line; printf r1#; IFS= read -r line; printf r1#; sleep 60"
        try await Self.with(device) { _, testRun in
            let result = try await Self.run(testRun, "reload", ["--json", "--idle-timeout", "4"])
            let report = try JSON(parsing: Data(result.output.utf8))
            #expect(result.exitStatus == 194 && report["error"]?["commandMayHaveRun"]?.text == "unknown", "\(result)")
            let shell = report["shell"]
            #expect(shell?["echoSeen"] == .bool(false) && shell?["promptReturned"] == .bool(false), "\(report)")
            #expect(report["error"]?["message"]?.text?.contains("has not shown the command") == true, "\(report)")
        }
    }

    @Test("a command's question is never answered; a greeting is continued")
    func question() async throws {
        try await Self.with(DeviceShell.asking) { box, testRun in
            let result = try await Self.run(testRun, "erase flash", ["--idle-timeout", "4"])
            #expect(result.exitStatus == 194 && result.words.contains("Erase flash? Press any key"), "\(result)")
            #expect((box.url(of: "/tmp/key").text ?? "").isEmpty)
        }
    }

    @Test("piped input is not dropped silently")
    func input() async throws {
        try await Self.with { _, testRun in
            var testRun = testRun
            testRun.input = Array("configure\n".utf8)
            let said = "piped input is not passed to the device"
            let plain = try await Self.run(testRun, "show version")
            #expect(plain.exitStatus == 0 && plain.words.contains(said), "\(plain)")
            #expect(!(try await Self.run(testRun, "show version", ["-n"]).words.contains(said)))
            #expect(!(try await Self.run(testRun, "show version", ["-q"]).words.contains(said)))
            testRun.input = []
            #expect(!(try await Self.run(testRun, "show version").words.contains(said)))
        }
    }

    @Test("a shell that ends before the next prompt leaves the outcome unknown, with any status")
    func closes() async throws {
        try await Self.with { _, testRun in
            let report = try JSON(parsing: Data(try await Self.run(testRun, "exit", ["--json"]).output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.command.outcome-unknown")
            #expect(report["exitStatus"] == .null && report["error"]?["commandMayHaveRun"]?.text == "unknown")
            #expect(try await Self.run(testRun, "exit").exitStatus == 198)
        }
    }

    @Test("deadlines and the output limit apply as for any command")
    func limits() async throws {
        try await Self.with { _, testRun in
            let late = try await Self.run(testRun, "show sleep", timeout: 3)
            #expect(late.exitStatus == 194 && late.errorOutput.contains("did not end within 3 s"), "\(late)")
            let silent = try await Self.run(testRun, "reload", ["--idle-timeout", "2"])
            #expect(silent.exitStatus == 194 && silent.errorOutput.contains("Proceed with reload? [confirm]"), "\(silent)")
            let much = try await Self.run(testRun, "show flood", ["--json", "--output-limit", "1000"])
            let report = try JSON(parsing: Data(much.output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.command.output-limit-exceeded")
            #expect(report["stdout"]?.text?.utf8.count == 1000)
            // No key is pressed in a device's shell.
            #expect(report["error"]?["evidence"]?["command"]?["teardown"]?.text == "channelClosed", "\(report)")
            let all = try await Self.run(testRun, "show flood")
            #expect(all.output.split(separator: "\n").count == 2000 && all.output.hasSuffix("line 1999 of many\n"))
        }
    }

    @Test("an unknown prompt is shown, and the expression that is offered works")
    func strange() async throws {
        try await Self.with(DeviceShell.strange) { _, testRun in
            var testRun = testRun
            testRun.connectTimeout = 3
            let report = try JSON(parsing: Data(try await Self.run(testRun, "hello", ["--json"]).output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.channel.prompt-missing")
            #expect(report["error"]?["commandMayHaveRun"]?.text == "no")
            #expect(report["error"]?["hint"]?.text?.contains("`--prompt '^what now\\?$'`") == true, "\(report)")
            testRun.connectTimeout = 60
            let known = try await Self.run(testRun, "hello", ["--prompt", "^what now\\?$"])
            #expect(known.output == "hello yourself\n" && known.exitStatus == 0, "\(known)")
        }
    }

    @Test("a shell that ends at once sends no command")
    func endsAtOnce() async throws {
        try await Self.with("echo 'Too many users.'\n") { _, testRun in
            let result = try await Self.run(testRun, "show version", ["--json"])
            let report = try JSON(parsing: Data(result.output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.channel.prompt-missing" && result.exitStatus == 198, "\(result)")
            #expect(report["error"]?["commandMayHaveRun"]?.text == "no")
        }
    }

    @Test("a device that refuses a terminal is used without one")
    func noTerminal() async throws {
        try await Self.with(DeviceShell.ios, "PermitTTY no\n") { _, testRun in
            let result = try await Self.run(testRun, "show version")
            #expect(result.output == "Cisco IOS XE Software\nr1 uptime is 1 week\n" && result.exitStatus == 0, "\(result)")
        }
    }

    @Test(
        "options that conflict with --shell are refused by name before the login",
        arguments: [
            (["--tty"], "--tty"), (["--sudo"], "--sudo"), (["--persist", "5m"], "--persist"), (["--via", "ssh"], "--via ssh"),
            (["--env", "A=b"], "--env"), (["--stdin", "-"], "--stdin"), (["--prompt", "["], "regular expression"),
        ])
    func combinations(_ options: [String], _ named: String) async throws {
        try await SharedSandbox.run { box in
            let result = try await Self.run(try await box.testRun(), "show version", options)
            #expect(result.exitStatus == 199 && result.errorOutput.contains(named), "\(result)")
        }
    }

    @Test("the library behaves the same")
    func library() async throws {
        try await Self.with { box, _ in
            try await box.connected { connection in
                let result = try await connection.runInShell("show version")
                #expect(result.standardOutput == Array("Cisco IOS XE Software\nr1 uptime is 1 week\n".utf8))
                #expect(result.termination == .unknown)
                let rejected = await #expect(throws: SSHError.self) { try await connection.runInShell("nonsense") }
                #expect(rejected?.code == .commandRejected)
                #expect(rejected?.result?.standardOutput.isEmpty == false)
                let usage = await #expect(throws: SSHError.self) { try await connection.runInShell("a\nb") }
                #expect(usage?.code == .localUsage)
            }
        }
    }
}
