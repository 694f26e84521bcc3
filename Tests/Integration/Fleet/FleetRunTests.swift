import Foundation
import SSHTestSupport
import Testing

/// `bridge-ssh fleet run` on a real sshd under many names.
@Suite("Fleet run") struct FleetRunTests {
    /// A host's name determines its behaviour.
    static let command = """
        case $LC_HOST in \
        full*) echo x > /dev/full;; \
        endless*) yes;; \
        many*) head -c 3000000 /dev/zero;; \
        status*) exit 7;; \
        *) echo I am $LC_HOST;; esac
        """

    @Test(
        "a variable of --env that hosts refuse is named at the end, with the hosts; a refused variable of the configuration is not named"
    )
    func refusedVariable() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("h\(number)", ["SetEnv OTHER=1"]) }
            let run = ["run", "--journal", "none", "--env", "GREETING=hello", "--env", "LC_GIVEN=1", "h[1-3]"]
            let result = try await fixture.fleet(run + ["echo $GREETING$LC_GIVEN"])
            #expect(result.exitStatus == 0 && result.output.contains("h1: 1\n"), "\(result)")
            let text = "3 hosts refused to set GREETING (AcceptEnv there does not list it): h[1-3]\n"
            #expect(result.errorOutput.contains(text), "\(result.errorOutput)")
            #expect(result.errorOutput.components(separatedBy: "refused to set").count == 2, "\(result.errorOutput)")
        }
    }

    @Test("every host has exactly one end, with the right outcome and code, and the totals agree")
    func everyKind() async throws {
        try await FaultServer.run(.silent) { silent in
            try await FleetFixture.with { fixture in
                var expected: [String: (outcome: String, code: String?)] = [:]
                func add(_ prefix: String, _ count: Int, _ outcome: String, _ code: String?, _ body: (String) -> Void) {
                    for number in 1...count {
                        expected["\(prefix)\(number)"] = (outcome, code)
                        body("\(prefix)\(number)")
                    }
                }
                let other = try await TestKey.make(name: "another").publicKey
                let changed = try fixture.box.directory.write("changed-host \(other)\n", to: "changed_hosts")
                add("good", 24, "ok", nil) { fixture.add($0) }
                add("many", 3, "ok", nil) { fixture.add($0) }
                add("refused", 6, "error", "ssh.connect.refused") { fixture.add($0, port: 1) }
                add("silent", 4, "error", "ssh.banner.timed-out") { fixture.add($0, port: silent.port, ["ConnectTimeout 1"]) }
                add("changed", 3, "error", "ssh.host-key.changed") {
                    fixture.add($0, ["HostKeyAlias changed-host", "UserKnownHostsFile \(changed)"])
                }
                add("key", 3, "error", "ssh.auth.key-rejected") { fixture.add($0, user: .loosehome) }
                add("full", 3, "failed", "ssh.command.exit-nonzero") { fixture.add($0) }
                add("status", 3, "failed", "ssh.command.exit-nonzero") { fixture.add($0) }
                let hosts = "good[1-24],many[1-3],refused[1-6],silent[1-4],changed[1-3],key[1-3],full[1-3],status[1-3]"
                let result = try await fixture.fleet([
                    "run", "--batch", "1,10%,100%", "--output", "jsonl", "--output-limit", "64K", hosts, Self.command,
                ])
                let lines = try FleetLines(result)
                #expect(lines.ends.count == expected.count, "\(result.errorOutput)")
                for (host, (outcome, code)) in expected {
                    #expect(lines.ends[host]?.count == 1, "\(host)")
                    #expect(lines.outcome(of: host) == outcome, "\(host) \(lines.ends[host] ?? [])")
                    #expect(lines.code(of: host) == code, "\(host)")
                }
                let sums = Dictionary(grouping: expected.values, by: \.outcome).mapValues(\.count)
                #expect(lines.outcomes == sums.merging(["skipped": 0, "unknown": 0]) { one, _ in one })
                #expect(result.exitStatus == 1)
                #expect(lines.ends["good7"]?.first?["result"]?["stdout"]?.text == "I am good7\n")
                #expect(lines.all("batch").count == 3)
            }
        }
    }

    @Test("an endless command that timed out may still run on its hosts, also if its output was limited")
    func endless() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...3 { fixture.add("endless\(number)") }
            let lines = try FleetLines(
                try await fixture.fleet([
                    "run", "--timeout", "2", "--output", "jsonl", "--output-limit", "64K", "endless[1-3]", Self.command,
                ]))
            #expect(lines.ends.count == 3 && lines.ends.values.allSatisfy { $0.count == 1 })
            #expect(lines.outcomes["unknown"] == 3)
            for host in lines.ends.keys { #expect(lines.code(of: host) == "ssh.command.timed-out") }
        }
    }

    @Test("a rule stops the run at its number; the other hosts are skipped")
    func stopRule() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...60 { fixture.add("h\(number)", port: number % 3 == 0 ? 1 : nil) }
            let result = try await fixture.fleet([
                "run", "--parallel", "2", "--stop", "ssh.connect.*=5", "--output", "jsonl", "--journal", "none", "h[1-60]",
                "true",
            ])
            let lines = try FleetLines(result)
            let (stop, before) = try #require(lines.stop)
            #expect(stop == "ssh.connect.*=5" && before == 5)
            #expect(lines.ends.count == 60 && lines.ends.values.allSatisfy { $0.count == 1 })
            #expect(lines.outcomes["skipped", default: 0] >= 40)
            #expect(result.exitStatus == 192, "\(result.errorOutput)")
        }
    }

    @Test("a wrong password is tried on three hosts, by the server's own count")
    func quarantine() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...30 { fixture.add("h\(number)", ["PubkeyAuthentication no"]) }
            let file = try fixture.box.directory.write("wrong-pw\n", to: "password")
            let arguments = ["--output", "jsonl", "--journal", "none", "--password-file", file, "h[1-30]", "true"]
            let lines = try FleetLines(try await fixture.fleet(["run"] + arguments))
            #expect(lines.outcomes["error"] == 30)
            let log = fixture.box.log.text.split(whereSeparator: \.isNewline)
            #expect(log.count { $0.contains("Failed password for alice") } == 3)
            let right = try fixture.box.directory.write("alice-pw\n", to: "password")
            #expect(right == file)
            let good = try FleetLines(try await fixture.fleet(["run"] + arguments))
            #expect(good.outcomes["ok"] == 30)
        }
    }

    @Test("a script reaches every host on standard input, with its arguments unchanged")
    func script() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...5 { fixture.add("h\(number)") }
            let script = try fixture.box.directory.write("echo \"$LC_HOST: $# <$1> <$2>\"\n", to: "script.sh")
            let result = try await fixture.fleet([
                "script", "--output", "jsonl", "--journal", "none", "h[1-5]", script, "two words", "it's",
            ])
            let lines = try FleetLines(result)
            for number in 1...5 {
                let output = lines.ends["h\(number)"]?.first?["result"]?["stdout"]?.text
                #expect(output == "h\(number): 2 <two words> <it's>\n", "\(result.errorOutput)")
            }
        }
    }

    @Test("check logs in, and runs nothing")
    func check() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...5 { fixture.add("h\(number)", port: number == 5 ? 1 : nil) }
            let result = try await fixture.fleet(["check", "--output", "jsonl", "--journal", "none", "h[1-5]"])
            let lines = try FleetLines(result)
            #expect(lines.outcomes == ["ok": 4, "failed": 0, "error": 1, "unknown": 0, "skipped": 0], "\(result.errorOutput)")
            #expect(!fixture.box.log.text.contains("Starting session"))
            // An offer of this machine's sshd that has no algorithm in common with libssh2.
            let result1 = try #require(lines.ends["h1"]?.first?["result"])
            let offered = String(describing: result1["postQuantum"]?["offered"])
            #expect(offered.contains("sntrup761x25519-sha512"), "\(result1)")
            #expect(result1["postQuantum"]?["used"] == .bool(false))
            #expect(result1["stdout"]?.text?.hasPrefix("post-quantum key exchange: sntrup761x25519-sha512") == true)
            #expect(lines.ends["h5"]?.first?["result"]?["postQuantum"] == nil)
        }
    }

    @Test("check reports whether each host's key exchange resists quantum computers")
    func postQuantum() async throws {
        var options = FleetFixture.options
        options.configuration += "\nKexAlgorithms curve25519-sha256"
        try await FleetFixture.with(options) { fixture in
            for number in 1...3 { fixture.add("h\(number)") }
            let folded = try await fixture.fleet(["check", "-b", "--journal", "none", "h[1-3]"])
            #expect(folded.output.contains("h[1-3] (3) · ok\npost-quantum key exchange: none offered\n"), "\(folded)")
            let quiet = try await fixture.fleet(["check", "-q", "--journal", "none", "h[1-3]"])
            #expect(quiet.exitStatus == 0 && quiet.output.isEmpty && quiet.errorOutput.isEmpty, "\(quiet)")
        }
    }

    @Test("check and JSON report the offer of a host that cannot be logged in to") func offerOfAFailedHost() async throws {
        var options = FleetFixture.options
        options.configuration += "\nKexAlgorithms sntrup761x25519-sha512@openssh.com"
        try await FleetFixture.with(options) { fixture in
            fixture.add("h1")
            let check = try await fixture.fleet(["check", "--output", "jsonl", "--retries", "1", "--journal", "none", "h1"])
            let checked = try #require(try FleetLines(check).ends["h1"]?.first?["result"])
            #expect(checked["error"]?["code"]?.text == "ssh.kex.no-common-kex", "\(checked)")
            #expect(
                checked["stdout"]?.text
                    == "post-quantum key exchange: sntrup761x25519-sha512@openssh.com (not used)\n", "\(checked)")
            let run = try await fixture.fleet(["run", "--output", "jsonl", "--journal", "none", "h1", "true"])
            let failed = try #require(try FleetLines(run).ends["h1"]?.first?["result"])
            let offered = String(describing: failed["postQuantum"]?["offered"])
            #expect(offered.contains("sntrup761x25519-sha512@openssh.com"), "\(failed)")
            #expect(failed["stdout"]?.text == "")
        }
    }

    @Test("with --shell the command is typed into a shell of every device")
    func shells() async throws {
        try await FleetFixture.with(DeviceShell.sandbox(DeviceShell.ios)) { fixture in
            for number in 1...2 { fixture.add("r\(number)") }
            let plain = try await fixture.fleet(["run", "--shell", "-b", "--journal", "none", "r[1-2]", "show version"])
            #expect(plain.exitStatus == 0, "\(plain)")
            #expect(plain.output.contains("r[1-2] (2) · ok\nCisco IOS XE Software\nr1 uptime is 1 week\n"), "\(plain)")
            let result = try await fixture.fleet([
                "run", "--shell", "--output", "jsonl", "--journal", "none", "r[1-2]", "shwo version",
            ])
            let lines = try FleetLines(result)
            #expect(lines.outcomes["ok"] == 0, "\(result)")
            let report = try #require(lines.ends["r1"]?.first?["result"])
            #expect(report["error"]?["code"] == .string("ssh.command.rejected"), "\(report)")
            #expect(report["exitStatus"] == .null && report["shell"]?["prompt"] == .string("r1#"))
            for (option, word) in [("--sudo", "sudo"), ("--via=ssh", "--via ssh"), ("--env=A=1", "--env")] {
                let refused = try await fixture.fleet(["run", "--shell", option, "r[1-2]", "show version"])
                #expect(refused.exitStatus == 199 && refused.errorOutput.contains(word), "\(refused)")
            }
        }
    }

    @Test("a dry run says what would be done, and does not connect")
    func dryRun() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...100 { fixture.add("h\(number)") }
            let before = fixture.box.connectionCount
            let result = try await fixture.fleet([
                "run", "--dry-run", "--batch", "1,10%,100%", "--stop", "failed=5%", "--retries", "2", "h[1-100]", "uptime",
            ])
            #expect(result.exitStatus == 0)
            for text in ["100 hosts", "h[1-100]", "3: 1, 10, 89", "at 5: failed=5%", "10 in all", "8 to 256 at once"] {
                #expect(result.output.contains(text), "\(text): \(result.output)\(result.errorOutput)")
            }
            #expect(fixture.box.connectionCount == before)
        }
    }

    @Test(
        "impossible requests are refused before any host is touched, with status 199",
        arguments: [
            ["--stop", "any=11"], ["--stop", "nonsense=1"], ["--batch", "0"], ["--parallel", "0"], ["--rate", "0"],
            ["--rate", "nan"], ["--rate", "1e-300"], ["--between", " "],
            ["--output", "paper"], ["--no-such-option"], ["--tty"], ["--stdin", "/nonexistent"], ["--stdin-limit", "0"],
        ])
    func refused(options: [String]) async throws {
        try await FleetFixture.with { fixture in
            for number in 1...10 { fixture.add("h\(number)") }
            let before = fixture.box.connectionCount
            let result = try await fixture.fleet(["run"] + options + ["h[1-10]", "true"])
            #expect(result.exitStatus == 199, "\(result.errorOutput)")
            #expect(result.output.isEmpty)
            #expect(fixture.box.connectionCount == before)
        }
    }

    @Test("^C: no more hosts start, running ones end by themselves, the rest are skipped")
    func interrupted() async throws {
        try await FleetFixture.with { fixture in
            for number in 1...20 { fixture.add("h\(number)") }
            let result = try await fixture.fleet(
                [
                    "run", "--parallel", "4", "--output", "jsonl", "--stream", "h[1-20]",
                    "echo started; while ! test -e /tmp/go; do sleep 0.05; done",
                ]
            ) { [box = fixture.box] process in
                for _ in 0..<4 { try await process.standardOutput.wait(for: "started") }
                process.send(signal: 2)
                try await process.standardError.wait(for: "no further hosts are started")
                try Data().write(to: box.temporaryDirectory.appendingPathComponent("go"))
            }
            let lines = try FleetLines(result)
            #expect(lines.ends.count == 20 && lines.ends.values.allSatisfy { $0.count == 1 })
            #expect(lines.outcomes["ok", default: 0] >= 1, "\(result.errorOutput)")
            #expect(lines.outcomes["skipped", default: 0] >= 14)
            #expect(result.exitStatus == 130)
        }
    }

    @Test("a host that is abandoned at a second or third ^C may have run the command, and its error says so")
    func left() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            let result = try await fixture.fleet(
                [
                    "run", "--output", "jsonl", "--stream", "--journal", "none", "h1",
                    "trap '' INT TERM HUP; echo started; sleep 30",
                ]
            ) { process in
                try await process.standardOutput.wait(for: #""text":"started"#)
                process.send(signal: 2)
                try await process.standardError.wait(for: "no further hosts are started")
                process.send(signal: 2)
                // The run may be over before the message of the second ^C is written; then no host is left to abandon.
                _ = try? await process.standardError.wait(for: "stopping the running commands")
                process.send(signal: 2)
            }
            let lines = try FleetLines(result)
            let error = lines.ends["h1"]?.first?["result"]?["error"]
            #expect(lines.outcome(of: "h1") == "unknown" && error?["commandMayHaveRun"]?.text == "unknown", "\(result.output)")
            #expect(error?["message"]?.text?.contains("did not run") == false, "\(result.output)")
            #expect(result.exitStatus == 130)
        }
    }

    @Test("Match command and sessiontype apply to a fleet")
    func matched() async throws {
        try await FleetFixture.with { fixture in
            fixture.add("h1")
            fixture.match(#"command "echo*" sessiontype exec"#, "SetEnv LC_KIND=echo")
            let result = try await fixture.fleet(["run", "--output", "jsonl", "--journal", "none", "h1", "echo $LC_KIND"])
            #expect(try FleetLines(result).ends["h1"]?.first?["result"]?["stdout"]?.text == "echo\n", "\(result.output)")
            let other = try await fixture.fleet(["run", "--output", "jsonl", "--journal", "none", "h1", "printf $LC_KIND."])
            #expect(try FleetLines(other).ends["h1"]?.first?["result"]?["stdout"]?.text == ".", "\(other.output)")
        }
    }

    @Test("sudo gets its password at its own prompt only, and the command gets its input after it")
    func sudo() async throws {
        try await FleetFixture.with { fixture in
            // Behaves as sudo -S -p does, and knows one password.
            let program = """
                #!/bin/sh
                while [ "$1" != -- ]; do if [ "$1" = -p ]; then prompt=$2; shift; fi; shift; done; shift
                printf '%s' "$prompt" >&2
                read -r word
                echo "$word" >> /tmp/words
                if [ "$word" != sudo-pw ]; then printf 'Sorry, try again.\\n%s' "$prompt" >&2; read -r word || {
                  echo 'sudo: no password was provided' >&2; echo 'sudo: 1 incorrect password attempt' >&2; exit 1; }; fi
                SUDO=yes exec "$@"
                """
            try fixture.install(sudo: program)
            for number in 1...8 { fixture.add("h\(number)") }
            let script = try fixture.box.directory.write("echo $LC_HOST $SUDO\n", to: "script.sh")
            let secret = try fixture.box.directory.write("sudo-pw\n", to: "sudo-password")
            let wrong = try fixture.box.directory.write("not-it\n", to: "wrong-password")
            let common = ["script", "--output", "jsonl", "--journal", "none"]
            let good = try await fixture.fleet(common + ["--sudo-password-file", secret, "h[1-8]", script])
            let lines = try FleetLines(good)
            #expect(lines.outcomes["ok"] == 8, "\(good.output)")
            #expect(lines.ends["h3"]?.first?["result"]?["stdout"]?.text == "h3 yes\n")
            #expect(lines.ends["h3"]?.first?["result"]?["stderr"]?.text == "")
            let bad = try await fixture.fleet(common + ["--sudo-password-file", wrong, "--stop", "sudo=5", "h[1-8]", script])
            let words = try String(contentsOf: fixture.box.temporaryDirectory.appendingPathComponent("words"), encoding: .utf8)
            #expect(words.split(separator: "\n").count { $0 == "not-it" } == 3, "\(words)")
            #expect(try FleetLines(bad).outcomes["ok"] == 0, "\(bad.output)")
            #expect(!bad.output.contains("not-it"))
        }
    }
}
