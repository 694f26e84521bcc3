import ArgumentParser
import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite struct UsageTests {
    /// Arguments, and the text that the complaint must contain.
    @Test(
        "a message names the input",
        arguments: [
            ([], "destination"),
            (["web1"], "command"),
            (["web1", "--"], "command"),
            (["--prot", "22", "web1", "x"], "--prot"),
            (["-Z", "web1", "y"], "-Z"),
            (["web1:99999", "x"], "99999"),
            (["web1:", "x"], "web1:"),
            (["-n", "--stdin", "f", "web1", "x"], "-n"),
            (["--password-file", "-", "web1", "x"], "--password-file"),
            (["--passphrase-file", "-", "web1", "x"], "--passphrase-file"),
            (["--timeout", "5x", "web1", "x"], "'5x'"),
            (["--port", "0", "web1", "x"], "from 1 to 65535"),
            (["--output-limit", "1T", "web1", "x"], "512K"),
            (["--env", "A", "web1", "x"], "NAME=VALUE"),
            (["--host-key-policy", "off", "web1", "x"], "accept-new"),
            (["--exit-codes", "255", "web1", "x"], "--exit-codes"),
            (["--port"], "--port"),
            (["-l", "", "web1", "x"], "user"),
        ])
    func namesTheInput(_ arguments: [String], _ name: String) throws {
        let problem = usage {
            try RunCommandPlan(runOptions(arguments), launchEnvironment: .bare)
        }
        let found = try #require(problem)
        #expect("\(found.field) \(found.problem)".contains(name))
    }

    /// Options with a negative number, and the text that the complaint also contains.
    @Test(
        "negative numbers",
        arguments: [
            (["run", "--timeout", "-1", "web1", "x"], "A time is a number above 0"),
            (["run", "-p", "-22", "web1", "x"], "1 to 65535"),
            (["run", "--retries", "-1", "web1", "x"], ""), (["run", "--output-limit", "-5K", "web1", "x"], "512K"),
            (["copy", "--limit-rate", "-1", "a", "web1:"], ""), (["doctor", "--connect-timeout", "-0.5", "web1"], "above 0"),
        ])
    func negativeNumbers(_ arguments: [String], _ rule: String) throws {
        let error = try #require(throws: (any Error).self) { _ = try JoinedOptions.parse(arguments) }
        let message = BridgeSSHCommand.message(for: error)
        #expect(message.contains("'\(arguments[2])'") && message.contains(rule) && !message.contains("Missing"), "\(message)")
    }

    @Test("a number behind another option is still missing") func aNumberBehindAnotherOptionIsStillMissing() throws {
        for arguments in [["run", "--timeout"], ["run", "--timeout", "--json", "web1", "x"]] {
            let error = try #require(throws: (any Error).self) { _ = try JoinedOptions.parse(arguments) }
            #expect(BridgeSSHCommand.message(for: error).contains("Missing value for '--timeout"))
        }
    }

    @Test(
        "a different word is not suggested",
        arguments: [
            ("Unknown option '--list'. Did you mean '--port'?", "Unknown option '--list'"),
            ("Unknown option '--fingerprint'. Did you mean '--fingerprints'?", nil), ("Missing value for '--port <port>'", nil),
        ] as [(String, String?)])
    func aNameThatIsAnotherWordIsNotSuggested(_ message: String, _ shown: String?) {
        #expect(CommandSuggestion.withSubstitute(message) == shown ?? message)
    }

    /// The first argument, and the complaint.
    @Test(
        "unknown commands",
        arguments: [
            (["runn", "web1", "x"], "did you mean run?"), (["rnu", "web1", "x"], "did you mean run?"),
            (["expalin", "255"], "did you mean explain?"),
            (["persist", "lst"], "did you mean list?"), (["persist", "web1"], "write list or stop"),
            (["web1", "uptime"], "bridge-ssh run web1 …"), (["web1"], "no such command"),
            (["cp", "a", "h:"], "`bridge-ssh copy`"), (["scp", "a", "h:"], "`bridge-ssh copy`"),
            (["ping", "h"], "`bridge-ssh doctor`"),
            (["-V"], "`bridge-ssh --version`"),
            (["-p", "22", "web1", "id"], "`bridge-ssh run -p 22 web1 id`"),
        ])
    func commandsThatThereAreNot(_ arguments: [String], _ said: String) throws {
        let problem = try #require(CommandSuggestion.command(arguments))
        #expect(problem.verdict.message.contains(said))
        #expect(problem.verdict.message.contains(arguments[0]))
    }

    @Test("known commands", arguments: [["run", "web1"], ["help"], ["--help"], [], [""]])
    func commandsThatThereAre(_ arguments: [String]) { #expect(CommandSuggestion.command(arguments) == nil) }

    @Test(
        "unknown options",
        arguments: [
            ("--tiemout", "--timeout?"), ("--identiy=x", "--identity?"), ("--frobnicate", ""), ("-x", ""),
        ])
    func optionsThatThereAreNot(_ typed: String, _ near: String) { #expect(CommandSuggestion.option(typed).hasSuffix(near)) }

    /// Those of every other subcommand, by the argument parser.
    @Test(
        "options of other programs",
        arguments: [
            (["copy", "--recursve", "a", "h:"], "--recursive"), (["doctor", "--jsn", "h"], "--json"),
            (["trust", "--updte", "h"], "--update"), (["persist", "stop", "--al", "web1"], "--all"),
            (["persist", "list", "--jsno"], "--json"),
        ])
    func optionsOfOthersThatThereAreNot(_ arguments: [String], _ near: String) {
        let error = #expect(throws: (any Error).self) { try JoinedOptions.parse(arguments) }
        let said = error.map { BridgeSSHCommand.message(for: $0) } ?? ""
        #expect(said.contains("Did you mean '\(near)'?"), "\(said)")
    }

    @Test("wrong usage is 199") func wrongUsageIs199() {
        let verdict = UsageProblem(field: "--port", problem: "it is wrong").verdict
        #expect(verdict.code == SSHError.Code(rawValue: "ssh.local.usage"))
        #expect(verdict.exitStatus(.bridge).rawValue == 199)
        #expect(verdict.exitStatus(.ssh).rawValue == 255)
    }

    @Test("an impossible host name is a failure to resolve") func anImpossibleHostNameIsAFailureToResolve() throws {
        #expect(throws: UsageProblem.self) { try plan("--", "-web1", "x") }
        do {
            _ = try plan("--", "-web1", "x")
        } catch let problem as UsageProblem {
            #expect(problem.verdict.code.rawValue == "ssh.resolve.host-name-invalid")
            #expect(problem.verdict.exitStatus(.bridge).rawValue == 193)
            #expect(problem.verdict.message.contains("-web1"))
        }
    }

    @Test(
        "hints",
        arguments: [
            (["run", "--json", "--prot"], true, false), (["run", "-q", "x"], false, true),
            (["run", "--", "--json"], false, false),
        ])
    func hints(_ arguments: [String], _ json: Bool, _ quiet: Bool) {
        let hints = ArgumentHints(arguments)
        #expect(hints.json == json)
        #expect(hints.quiet == quiet)
        #expect(hints.convention == .bridge)
    }

    @Test("the hint shows the form of the arguments", arguments: [["--exit-codes", "ssh"], ["--exit-codes=ssh"]])
    func hintOfTheConvention(_ arguments: [String]) {
        #expect(ArgumentHints(["run"] + arguments).convention == .ssh)
    }

    @Test("config none reads no file") func configNoneReadsNoFile() throws {
        #expect(try plan("--config", "none", "web1", "x").command == "x")
        #expect(try plan("-F", "none", "web1", "x").command == "x")
    }
}
