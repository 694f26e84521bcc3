import BridgeSSH
import ErrorCore
import SSHRun
import Testing

@testable import SSHCommandLine

/// Command lines that users of ssh(1) are likely to type.
@Suite("Habits of ssh") struct SSHHabitsTests {
    /// `bridge-ssh run ARGUMENTS`, up to its plan; the problem, if there is one.
    private func problem(_ arguments: [String]) throws -> String? {
        do {
            let run = try runOptions(arguments)
            try MisplacedOptions.check(run.words, in: ["run"] + arguments)
            _ = try RunCommandPlan(run, launchEnvironment: .seated)
            return nil
        } catch let problem as UsageProblem {
            return problem.verdict.message
        }
    }

    @Test(
        "flags that change nothing are accepted",
        arguments: ["-T", "-x", "-a", "-k", "-C", "-4", "-q", "-n", "-v", "-tt", "-xC", "-Tax"])
    func harmless(_ flag: String) throws {
        #expect(try problem([flag, "web1", "id"]) == nil)
    }

    @Test(
        "every other option of ssh names what to write instead",
        arguments: [
            (["-f", "web1", "id"], "--persist"), (["-E", "log", "web1", "id"], "--log-file"),
            (["-Elog", "web1", "id"], "--log-file"),
            (["-G", "web1"], "`bridge-ssh config HOST`"), (["-c", "aes128-ctr", "web1", "id"], "-o Ciphers="),
            (["-m", "hmac-sha2-256", "web1", "id"], "-o MACs="), (["-S", "s", "web1", "id"], "--persist"),
            (["-O", "check", "web1"], "--persist"), (["-V"], "`bridge-ssh --version`"),
            (["-L", "1:a:2", "web1", "id"], "use ssh"),
            (["-R", "1:a:2", "web1", "id"], "use ssh"), (["-D", "1", "web1", "id"], "use ssh"),
            (["-W", "a:1", "web1"], "use ssh"),
            (["-N", "web1"], "use ssh"), (["-X", "web1", "id"], "use ssh"), (["-A", "web1", "id"], "use ssh"),
            (["-b", "127.0.0.1", "web1", "id"], "-o BindAddress="), (["-fN", "web1"], "--persist"),
            (["-s", "web1", "sftp"], "copy"), (["-Q", "cipher"], "doctor"), (["-I", "lib", "web1", "id"], "ssh-add"),
        ])
    func substitutes(_ arguments: [String], _ words: String) throws {
        let problem = try #require(try problem(arguments))
        #expect(problem.contains(words), "\(problem)")
        #expect(problem.hasPrefix(String(arguments[0].prefix(2))), "\(problem)")
    }

    /// The arguments after `run`, and the suggested lines.
    @Test(
        "an option after the host is refused, with the corrected command line",
        arguments: [
            (
                ["web1", "-p", "2222", "uptime"],
                ["`bridge-ssh run -p 2222 web1 uptime`", "`bridge-ssh run web1 -- -p 2222 uptime`"]
            ),
            (["-v", "web1", "-t", "top"], ["`bridge-ssh run -v -t web1 top`", "`bridge-ssh run -v web1 -- -t top`"]),
            (["web1", "-i", "my key", "-q", "--", "ls", "-l"], ["`bridge-ssh run -i 'my key' -q web1 ls -l`"]),
            (["web1", "--json"], ["`bridge-ssh run --json web1 COMMAND`"]),
            (["web1", "-ls"], ["`bridge-ssh run web1 -- -ls`"]),
            (["web1", "-f", "id"], ["--persist", "`bridge-ssh run web1 -- -f id`"]),
        ])
    func misplaced(_ arguments: [String], _ lines: [String]) throws {
        let problem = try #require(try problem(arguments))
        for line in lines { #expect(problem.contains(line), "\(problem)") }
    }

    @Test(
        "a command stays a command",
        arguments: [["web1", "--", "-p"], ["web1", "ls", "-l"], ["--", "web1", "-p"]])
    func commands(_ arguments: [String]) throws { #expect(try problem(arguments) == nil) }

    @Test("-T overrides the configuration") func noTerminal() throws {
        let forced = LaunchEnvironment.configured("RequestTTY force\n")
        #expect(try plan("web1", "id", in: forced).wantsTerminal)
        #expect(try !plan("-T", "web1", "id", in: forced).wantsTerminal)
        #expect(try !plan("-t", "-T", "web1", "id").wantsTerminal)
        #expect(try plan("-T", "-t", "web1", "id").wantsTerminal)
    }

    @Test("other subcommands name the substitute too") func others() {
        #expect(CommandSuggestion.withSubstitute("Unknown option '-c'").contains("-o Ciphers="))
        #expect(CommandSuggestion.withSubstitute("Unknown option '-f'", isRun: true).contains("--persist"))
        // Only run has --log-file.
        #expect(CommandSuggestion.withSubstitute("Unknown option '-E'") == "Unknown option '-E'")
        #expect(CommandSuggestion.withSubstitute("Unknown option '--persist'").contains("a copy makes one for all of its files"))
        #expect(CommandSuggestion.withSubstitute("Unknown option '--foo'") == "Unknown option '--foo'")
    }
}

@Suite("Times") struct TimeOptionTests {
    @Test(
        "ssh's flags that are accepted",
        arguments: [
            ("2", 2.0), ("1.5", 1.5), ("2s", 2), ("10m", 600), ("1h30m", 5400), ("500ms", 0.5), ("1.5h", 5400), ("2D", 172_800),
            ("1w", 604_800),
            ("1m30", 90),
        ])
    func read(_ text: String, _ seconds: Double) {
        #expect(Seconds(argument: text)?.value == seconds)
    }

    @Test(
        "times that ssh refuses",
        arguments: ["", "0", "-1", "s", "1e3", "5x", "1 s", "..", "1h-1m", "nan", "99999999999999w", "٣"])
    func refused(_ text: String) { #expect(Seconds(argument: text) == nil) }

    @Test("times of --persist", arguments: [("90", 90.0), ("1.5", 1.5), ("10m", 600), ("365d", 31_536_000)])
    func kept(_ text: String, _ seconds: Double) { #expect(KeepTime(argument: text)?.seconds == seconds) }

    @Test("times that --persist refuses", arguments: ["0.5", "366d", "x"]) func notKept(_ text: String) {
        #expect(KeepTime(argument: text) == nil)
    }
}
