import Foundation
import SSHTestSupport
import Testing

/// A wrong password reaches at most three accounts, however their servers refuse it.
@Suite("Passwords of a fleet") struct FleetPasswordTests {
    /// The number of passwords that sshd has checked.
    private static func refusals(_ box: SSHDSandbox) -> Int {
        box.log.text.split(whereSeparator: \.isNewline).count { $0.contains("Failed password for alice") }
    }

    private static let unverified = ["StrictHostKeyChecking no", "UserKnownHostsFile /dev/null", "PubkeyAuthentication no"]

    @Test("an sshd that hangs up after its last attempt has refused the password", arguments: [(6, 5), (1, 0)])
    func mostTries(tries: Int, keys: Int) async throws {
        var options = FleetFixture.options
        options.configuration += "\nMaxAuthTries \(tries)"
        try await FleetFixture.with(options) { fixture in
            fixture.namesKeyFile = false
            var settings = keys == 0 ? ["PubkeyAuthentication no"] : ["IdentitiesOnly yes"]
            for number in 0..<keys {
                let key = try await TestKey.make(name: "unknown-\(number)")
                settings.append("IdentityFile \(try key.write(to: fixture.box.directory, as: "unknown-\(number)"))")
            }
            for number in 1...20 { fixture.add("h\(number)", settings) }
            let file = try fixture.box.directory.write("wrong-pw\n", to: "password")
            let result = try await fixture.fleet([
                "run", "--output", "jsonl", "--journal", "none", "--retries", "2", "--password-file", file, "h[1-20]", "true",
            ])
            let lines = try FleetLines(result)
            #expect(lines.outcomes["error"] == 20, "\(result.errorOutput)")
            #expect(Self.refusals(fixture.box) == 3, "\(result.output)")
            let codes = Dictionary(grouping: lines.ends.keys, by: { lines.code(of: $0) ?? "" }).mapValues(\.count)
            #expect(codes["ssh.auth.no-credentials"] == 17, "\(codes)")
        }
    }

    static let hangUps: [(name: String, script: ServerScript)] = [
        ("at the password", ServerScript().asking(for: "password").on(.login("password"), .finish)),
        ("with a reset", ServerScript().asking(for: "password").on(.login("password"), .reset)),
        (
            "at the answer",
            ServerScript().asking(for: "keyboard-interactive")
                .on(.login("keyboard-interactive"), .ask(instruction: "", [("Password: ", false)])).on(.answers, .finish)
        ),
    ]

    @Test(
        "a server that hangs up has refused the password, and a retry without it does not hide that", arguments: hangUps.indices)
    func hangUp(index: Int) async throws {
        try await ScriptedServer.run(Self.hangUps[index].script) { server in
            try await FleetFixture.with { fixture in
                for number in 1...20 { fixture.add("h\(number)", port: server.port, Self.unverified) }
                let file = try fixture.box.directory.write("wrong-pw\n", to: "password")
                let result = try await fixture.fleet([
                    "run", "--output", "jsonl", "--journal", "none", "--retries", "1", "--password-file", file, "h[1-20]", "true",
                ])
                let lines = try FleetLines(result)
                let codes = Dictionary(grouping: lines.ends.keys, by: { lines.code(of: $0) ?? "" }).mapValues(\.count)
                #expect(codes == ["ssh.auth.connection-dropped": 3, "ssh.auth.no-credentials": 17], "\(result.output)")
            }
        }
    }

    @Test("a host that has accepted the password gets it again with each retry")
    func acceptedBefore() async throws {
        let script = ServerScript().asking(for: "password").on(.login("password"), .accept).on(.channel, .finish)
        try await ScriptedServer.run(script) { server in
            try await FleetFixture.with { fixture in
                fixture.add("h1", port: server.port, Self.unverified)
                let file = try fixture.box.directory.write("right-pw\n", to: "password")
                let result = try await fixture.fleet([
                    "run", "--output", "jsonl", "--journal", "none", "--retries", "2", "--password-file", file, "h1", "true",
                ])
                let lines = try FleetLines(result)
                #expect(lines.code(of: "h1") != "ssh.auth.no-credentials", "\(result.output)")
                #expect(lines.ends["h1"]?.first?["attempts"] == .integer(3), "\(result.output)")
            }
        }
    }

    /// Asks hosts whose names begin with p for a password, and no others.
    private static let mixedSudo = """
        #!/bin/sh
        while [ "$1" != -- ]; do if [ "$1" = -p ]; then prompt=$2; shift; fi; shift; done; shift
        case $LC_HOST in p*)
          printf '%s' "$prompt" >&2
          read -r word || { echo 'sudo: no password was provided' >&2; exit 1; }
          [ "$word" = sudo-pw ] || exit 1;;
        esac
        exec "$@"
        """

    @Test("--sudo asks nothing if sudo wants no password, and names the missing password if it does")
    func noPassword() async throws {
        try await FleetFixture.with { fixture in
            try fixture.install(sudo: Self.mixedSudo)
            for number in 1...4 { fixture.add("h\(number)") }
            fixture.add("p1")
            let result = try await fixture.fleet([
                "run", "--output", "jsonl", "--journal", "none", "--sudo", "h[1-4],p1", "echo ran",
            ])
            let lines = try FleetLines(result)
            #expect(lines.outcomes["ok"] == 4 && lines.outcome(of: "p1") == "failed", "\(result.output)")
            let error = lines.ends["p1"]?.first?["result"]?["error"]
            #expect(error?["message"]?.text?.contains("no terminal") == true, "\(result.output)")
            #expect(error?["hint"]?.text?.contains("NOPASSWD") == true, "a remedy, and not the cause again: \(result.output)")
        }
    }

    @Test("a person is asked for sudo's password when a host wants it, once for all hosts")
    func askedLate() async throws {
        try await FleetFixture.with { fixture in
            try fixture.install(sudo: Self.mixedSudo)
            for number in 1...3 { fixture.add("h\(number)") }
            for number in 1...5 { fixture.add("p\(number)") }
            let silent = try await fixture.person(["run", "--sudo", "--journal", "none", "h[1-3]", "echo ran"])
            #expect(silent.exitStatus == 0 && !silent.output.contains("Password for sudo"), "\(silent.output)")
            let result = try await fixture.person(["run", "--sudo", "--journal", "none", "h[1-3],p[1-5]", "echo ran"]) {
                process in
                try await process.standardOutput.wait(for: "Password for sudo")
                try await process.write("sudo-pw\r")
            }
            #expect(result.exitStatus == 0, "\(result.output)")
            #expect(result.output.components(separatedBy: "Password for sudo").count == 2)
            #expect(result.output.components(separatedBy: ": ran").count == 9 && !result.output.contains("sudo-pw"))
        }
    }

    @Test("a sudo that asks once and ends has refused the password (passwd_tries=1)")
    func sudoOnce() async throws {
        try await FleetFixture.with { fixture in
            try fixture.install(
                askingSudo: """
                    echo "$word" >> /tmp/words
                    echo 'sudo: 1 incorrect password attempt' >&2; exit 1
                    """)
            for number in 1...20 { fixture.add("h\(number)") }
            let wrong = try fixture.box.directory.write("not-it\n", to: "wrong-password")
            let result = try await fixture.fleet([
                "run", "--output", "jsonl", "--journal", "none", "--sudo-password-file", wrong, "h[1-20]", "true",
            ])
            let words = try String(contentsOf: fixture.box.temporaryDirectory.appendingPathComponent("words"), encoding: .utf8)
            #expect(words.split(separator: "\n").count == 3, "\(words)")
            #expect(try FleetLines(result).outcomes["ok"] == 0, "\(result.output)")
        }
    }
}

extension FleetFixture {
    /// Puts the test's own program before the machine's sudo. It has asked for the password, which is `$word`; `$@` is the
    /// command.
    func install(askingSudo script: String) throws {
        try install(
            sudo: """
                #!/bin/sh
                while [ "$1" != -- ]; do if [ "$1" = -p ]; then prompt=$2; shift; fi; shift; done; shift
                printf '%s' "$prompt" >&2
                read -r word
                \(script)
                """)
    }

    /// Puts the test's own program before the machine's sudo.
    func install(sudo program: String) throws {
        let directory = box.temporaryDirectory.appendingPathComponent("bin")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try ExecutableFile.write(Data(program.utf8), to: directory.appendingPathComponent("sudo").path, mode: 0o755)
        // bash reads it for commands of sshd too.
        try Data("PATH=/tmp/bin:$PATH\n".utf8).write(to: box.url(of: "/home/alice/.bashrc"))
    }
}
