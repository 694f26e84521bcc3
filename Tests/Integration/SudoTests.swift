import BridgeSSH
import Foundation
import SSHTestSupport
import Testing

/// Runs and copies as root, by a program that behaves as `sudo -S -p` does and knows one password.
@Suite("As root, through sudo") struct SudoTests {
    /// libssh2, and OpenSSH's ssh.
    private static let ways: [[String]] = [[], ["--via", "ssh"]]

    /// Records every password that it receives.
    private static let program = """
        #!/bin/sh
        while [ "$1" != -- ]; do if [ "$1" = -p ]; then prompt=$2; shift; fi; shift; done; shift
        printf '%s' "$prompt" >&2
        read -r word || { echo 'sudo: no password was provided' >&2; echo 'sudo: a password is required' >&2; exit 1; }
        echo "$word" >> /tmp/words
        if [ "$word" != sudo-pw ]; then printf 'Sorry, try again.\\n%s' "$prompt" >&2; read -r word || {
          echo 'sudo: no password was provided' >&2; echo 'sudo: 1 incorrect password attempt' >&2; exit 1; }; fi
        AS_ROOT=yes exec "$@"
        """

    private static func with(
        _ program: String = program, _ body: (FleetFixture, _ good: String, _ wrong: String) async throws -> Void
    ) async throws {
        try await FleetFixture.with { fixture in
            try fixture.install(sudo: program)
            for number in 1...6 { fixture.add("h\(number)") }
            let good = try fixture.box.directory.write("sudo-pw\n", to: "sudo-password")
            let wrong = try fixture.box.directory.write("not-it\n", to: "wrong-password")
            try await body(fixture, good, wrong)
        }
    }

    @Test("a run gives sudo its password and the command its input, and hides sudo's prompt", arguments: ways)
    func run(_ way: [String]) async throws {
        try await Self.with { fixture, good, _ in
            let command = "cat; echo $AS_ROOT; echo said >&2; exit 7"
            let plain = try await fixture.single(
                ["run"] + way + ["--sudo-password-file", good, "h1", command], input: .bytes(Array("in\n".utf8)))
            #expect(plain.exitStatus == 7 && plain.output == "in\nyes\n" && plain.errorOutput == "said\n", "\(plain)")
            let object = try await fixture.single(
                ["run"] + way + ["--json", "--sudo-password-file", good, "h1", command], input: .bytes(Array("in\n".utf8)))
            let report = try JSON(parsing: Data(object.output.utf8))
            #expect(report["stdout"]?.text == "in\nyes\n" && report["stderr"]?.text == "said\n")
            #expect(report["command"]?.text == command)
            #expect(!object.output.contains("bridge-ssh-sudo") && !object.output.contains("sudo-pw"), "\(object.output)")
        }
    }

    @Test("collected output that passes its limit ends the command", arguments: ways)
    func limit(_ way: [String]) async throws {
        try await Self.with { fixture, good, _ in
            let result = try await fixture.single(
                ["run"] + way + ["--json", "--output-limit", "1000", "--sudo-password-file", good, "h1", "yes"])
            let report = try JSON(parsing: Data(result.output.utf8))
            #expect(report["error"]?["code"]?.text == "ssh.command.output-limit-exceeded", "\(result.output)")
            #expect(report["stdout"]?.text?.utf8.count == 1000)
        }
    }

    @Test("a password that sudo refuses is sent once, even if the run is retried", arguments: ways)
    func wrong(_ way: [String]) async throws {
        try await Self.with { fixture, _, wrong in
            let result = try await fixture.single(
                ["run"] + way + ["--retries", "2", "--idempotent", "--sudo-password-file", wrong, "h1", "true"])
            #expect(result.exitStatus == 1 && result.errorOutput.contains("incorrect password"), "\(result)")
            #expect(fixture.words == ["not-it"])
        }
    }

    @Test("without a terminal nothing is sent, and the run reports that", arguments: ways)
    func nobody(_ way: [String]) async throws {
        try await Self.with { fixture, _, _ in
            let result = try await fixture.single(["run"] + way + ["--sudo", "h1", "true"])
            #expect(result.exitStatus == 1 && result.errorOutput.contains("there is no terminal for the prompt"), "\(result)")
            #expect(fixture.words.isEmpty)
        }
    }

    @Test("a person is asked when sudo wants a password, and can decline by ^C", arguments: ways)
    func person(_ way: [String]) async throws {
        try await Self.with { fixture, _, _ in
            let asked = try await fixture.singlePerson(["run"] + way + ["--sudo", "h1", "echo $AS_ROOT"]) { process in
                try await process.standardOutput.wait(for: "Password for sudo on h1")
                try await process.write("sudo-pw\r")
            }
            #expect(asked.exitStatus == 0 && asked.output.contains("yes") && !asked.output.contains("sudo-pw"), "\(asked)")
            let refused = try await fixture.singlePerson(["copy"] + way + ["--sudo", "h1:/etc/hostname", "."]) { process in
                try await process.standardOutput.wait(for: "Password for sudo on h1")
                try await process.write("\u{3}")
            }
            #expect(refused.exitStatus == 130, "\(refused)")
        }
    }

    @Test("after ^C at sudo's prompt the message says that the run waits for sudo, not for a command")
    func interrupted() async throws {
        let program = """
            #!/bin/sh
            trap '' INT TERM HUP
            while [ "$1" != -- ]; do if [ "$1" = -p ]; then prompt=$2; shift; fi; shift; done; shift
            printf '%s' "$prompt" >&2
            while :; do sleep 1; done
            """
        try await Self.with(program) { fixture, _, _ in
            let result = try await fixture.singlePerson(["run", "--sudo", "h1", "true"]) { process in
                try await process.standardOutput.wait(for: "Password for sudo on h1")
                try await process.write("\u{3}")
                // Before libssh2 1.11 no signal can be sent, and there is nothing to wait for.
                guard InstalledLibrary.is111 else { return }
                try await process.standardOutput.wait(for: "press Ctrl-C again to leave at once")
                try await process.write("\u{3}")
            }
            #expect(result.exitStatus == 130, "\(result)")
            if InstalledLibrary.is111 { #expect(result.output.contains("waiting for sudo"), "\(result)") }
            #expect(!result.output.contains("waiting for the command"), "\(result)")
        }
    }

    @Test("a command that is too long with sudo before it is refused before the login")
    func tooLong() async throws {
        try await Self.with { fixture, good, _ in
            let command = ": " + String(repeating: "'", count: 12_000)
            let result = try await fixture.single(["run", "--sudo-password-file", good, "h1", command])
            #expect(result.exitStatus == 199 && result.words.contains("bytes long with sudo before it"), "\(result)")
            #expect(!fixture.box.log.text.contains("Accepted"))
        }
    }

    @Test("options that conflict with sudo are refused by name", arguments: [["-t"], ["--persist", "5m"]])
    func combinations(_ options: [String]) async throws {
        try await Self.with { fixture, good, _ in
            let result = try await fixture.single(["run"] + options + ["--sudo-password-file", good, "h1", "true"])
            #expect(result.exitStatus == 199 && result.errorOutput.contains("--sudo"), "\(result)")
            #expect(fixture.words.isEmpty)
        }
    }

    @Test("a copy starts the SFTP server as root, both ways and for the checksum", arguments: ways)
    func copy(_ way: [String]) async throws {
        try await Self.with { fixture, good, _ in
            let content = (0..<200_000).map { "\($0)\n" }.joined()
            let source = try fixture.write(content, to: "source")
            let up = try await fixture.single(["copy"] + way + ["--sudo-password-file", good, "--checksum", source, "h1:copied"])
            #expect(up.exitStatus == 0, "\(up)")
            #expect(fixture.box.url(of: "/home/alice/copied").text == content)
            let down = try await fixture.single(["copy"] + way + ["--sudo-password-file", good, "h1:copied", source + "-back"])
            #expect(down.exitStatus == 0, "\(down)")
            #expect(URL(fileURLWithPath: source + "-back").text == content)
            // The server and the checksum's program, then the server.
            #expect(fixture.words == ["sudo-pw", "sudo-pw", "sudo-pw"])
        }
    }

    @Test("if sudo does not start the SFTP server, the copy shows sudo's message and what was not sent", arguments: ways)
    func refusedCopy(_ way: [String]) async throws {
        try await Self.with { fixture, _, wrong in
            let source = try fixture.write("x", to: "source")
            let refused = try await fixture.single(["copy"] + way + ["--sudo-password-file", wrong, source, "h1:copied"])
            #expect(refused.exitStatus == 1 && refused.words.contains("incorrect password attempt"), "\(refused)")
            #expect(refused.errorOutput.contains("ssh.sftp.permission-denied"), "\(refused)")
            let unasked = try await fixture.single(["copy"] + way + ["--sudo", source, "h1:copied"])
            #expect(unasked.exitStatus == 1 && unasked.words.contains("no terminal"), "\(unasked)")
            #expect(fixture.words == ["not-it"])
            #expect(fixture.box.url(of: "/home/alice/copied").text == nil)
        }
    }

    @Test(
        "a sudo that never starts the server is waited for no longer than a connection",
        arguments: [
            "sleep 600", "while :; do echo nonsense >&2; done", "while :; do printf 'bridge-ssh-sudo-' >&2; done",
        ])
    func endlessSudo(_ body: String) async throws {
        try await Self.with("#!/bin/sh\n\(body)\n") { fixture, good, _ in
            let source = try fixture.write("x", to: "source")
            let result = try await fixture.single(
                ["copy", "--connect-timeout", "2", "--json", "--sudo-password-file", good, source, "h1:copied"])
            #expect(result.exitStatus == 194 && result.output.contains("ssh.channel.timed-out"), "\(result)")
            #expect(result.output.contains("let no SFTP server run within 2 seconds"), "\(result)")
        }
    }

    @Test("a sudo that ends silently is not a success", arguments: [0, 3])
    func silentSudo(_ status: Int) async throws {
        try await Self.with("#!/bin/sh\nexit \(status)\n") { fixture, good, _ in
            let source = try fixture.write("x", to: "source")
            let result = try await fixture.single(["copy", "--sudo-password-file", good, source, "h1:copied"])
            #expect(result.exitStatus == 1 && result.words.contains("did not let the SFTP server run as root"), "\(result)")
            let run = try await fixture.single(["run", "--sudo-password-file", good, "h1", "true"])
            #expect(run.exitStatus == (status == 0 ? 198 : 3), "\(run)")
        }
    }

    @Test("a stopped copy leaves no unfinished file", arguments: ways)
    func endedCopy(_ way: [String]) async throws {
        try await Self.with { fixture, good, _ in
            let source = try fixture.write(String(repeating: "x", count: 8 << 20), to: "source")
            let home = fixture.box.url(of: "/home/alice")
            let result = try await fixture.single(
                ["copy"] + way + ["--limit-rate", "1M", "--sudo-password-file", good, source, "h1:copied"]
            ) { process in
                try await FleetFixture.waitForPartial(in: home)
                process.send(signal: SIGINT)
            }
            #expect(result.exitStatus == 130, "\(result)")
            #expect(try FleetFixture.partials(in: home).isEmpty)
        }
    }

    @Test("a fleet via ssh sends a wrong password to few hosts, and the right one to each")
    func fleetViaSSH() async throws {
        try await Self.with { fixture, good, wrong in
            let options = ["run", "--via", "ssh", "--output", "jsonl", "--journal", "none", "--sudo-password-file"]
            let command = ["h[1-6]", "--", "echo $AS_ROOT"]
            let bad = try await fixture.fleet(options + [wrong] + command)
            #expect(try FleetLines(bad).outcomes["ok"] == 0, "\(bad.output)")
            #expect(fixture.words.count == 3)
            let right = try await fixture.fleet(options + [good] + command)
            #expect(try FleetLines(right).outcomes["ok"] == 6, "\(right.output)")
            #expect(fixture.words.count { $0 == "sudo-pw" } == 6)
            #expect(!right.output.contains("bridge-ssh-sudo"), "\(right.output)")
        }
    }

    @Test("a fleet's copy sends a wrong password to few hosts, and the right one to each")
    func fleet() async throws {
        try await Self.with { fixture, good, wrong in
            let source = try fixture.write("content\n", to: "source")
            let bad = try await fixture.fleet([
                "copy", "--output", "jsonl", "--journal", "none", "--sudo-password-file", wrong, source, "h[1-6]:copied",
            ])
            #expect(try FleetLines(bad).outcomes["ok"] == 0, "\(bad.output)")
            #expect(fixture.words.count == 3)
            let right = try await fixture.fleet([
                "copy", "--output", "jsonl", "--journal", "none", "--sudo-password-file", good, source, "h[1-6]:copied",
            ])
            #expect(try FleetLines(right).outcomes["ok"] == 6, "\(right.output)")
            #expect(fixture.box.url(of: "/home/alice/copied").text == "content\n")
            #expect(fixture.words.count { $0 == "sudo-pw" } == 6)
        }
    }
}

extension FleetFixture {
    /// The bytes sent to sudo.
    fileprivate var words: [String] {
        let file = box.temporaryDirectory.appendingPathComponent("words")
        return (file.text ?? "").split(separator: "\n").map(String.init)
    }

    /// `bridge-ssh` with the configuration that names the hosts.
    fileprivate func single(
        _ arguments: [String], input: ProcessRun.Input = .none,
        body: @escaping @Sendable (RunningProcess) async throws -> Void = { _ in }
    ) async throws -> ProcessResult {
        try await ProcessRun.run(
            try BuiltExecutable.path("bridge-ssh"), words(arguments), environment: environment, input: input, body: body)
    }

    /// The same at a terminal.
    fileprivate func singlePerson(
        _ arguments: [String], body: @escaping @Sendable (RunningProcess) async throws -> Void
    ) async throws -> ProcessResult {
        try await TerminalRun.run(
            try BuiltExecutable.path("bridge-ssh"), try await words(arguments), environment: environment, body: body)
    }
}
