import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

/// Combining ssh's configuration and the command line's own options in a plan.
@Suite struct ConfigurationPlanTests {
    /// The same with an environment.
    private func machine(_ text: String) -> LaunchEnvironment {
        var launchEnvironment = LaunchEnvironment.configured(text)
        launchEnvironment.environment = [("LANG", "C"), ("LC_ALL", "C"), ("SECRET", "no")]
        return launchEnvironment
    }

    private static let file = """
        Host web1
          HostName real.example
          Port 2222
          User fileuser
          IdentityFile ~/.ssh/of-%r
          SendEnv LC_*
          SetEnv A=1
          ConnectTimeout 7
          ServerAliveInterval 9
          ServerAliveCountMax 2
          AddressFamily inet6
          StrictHostKeyChecking yes
          IdentitiesOnly yes
        """

    @Test("settings of the file apply") func fileIsFollowed() throws {
        let plan = try plan("web1", "x", in: machine(Self.file))
        #expect("\(plan.endpoint)" == "fileuser@real.example:2222")
        #expect(plan.configuration.credentials.identities == [SSHIdentity(path: "/home/me/.ssh/of-fileuser")])
        #expect(plan.configuration.credentials.identitiesOnly)
        #expect(plan.commandOptions.environment.map { "\($0.name)=\($0.value)" } == ["LC_ALL=C", "A=1"])
        #expect(plan.configuration.timeouts.connect == .seconds(7))
        #expect(plan.configuration.keepalive == SSHKeepaliveOptions(interval: .seconds(9), countMax: 2))
        #expect(plan.configuration.addressFamily == .ipv6)
        #expect(plan.configuration.hostKeyPolicy == .strict)
    }

    @Test("options override the file") func commandLineWins() throws {
        let plan = try plan(
            "-p", "5", "-l", "cli", "-i", "/cli", "-4", "--connect-timeout", "3", "--keepalive", "4", "--env", "A=2",
            "--host-key-policy", "accept-new", "web1", "x", in: machine(Self.file))
        #expect("\(plan.endpoint)" == "cli@real.example:5")
        #expect(plan.configuration.credentials.identities.map(\.path) == ["/cli", "/home/me/.ssh/of-cli"])
        #expect(plan.configuration.timeouts.connect == .seconds(3))
        #expect(plan.configuration.keepalive == SSHKeepaliveOptions(interval: .seconds(4), countMax: 2))
        #expect(plan.configuration.addressFamily == .ipv4)
        #expect(plan.configuration.hostKeyPolicy == .acceptNew)
        #expect(plan.commandOptions.environment.last?.value == "2")
    }

    @Test("accept-new as an option remembers the key or refuses it") func acceptNewAsAnOptionRemembersOrRefuses() throws {
        func accepts(_ arguments: String...) throws -> Bool {
            let options = try runOptions(["--config", "none"] + arguments + ["web1", "x"])
            return try RunCommandPlan(options, launchEnvironment: .bare).configuration.knownHosts.acceptsWithoutRemembering
        }
        let option = "--host-key-policy"
        #expect(try accepts("-o", "StrictHostKeyChecking=no"))
        #expect(try !accepts("-o", "StrictHostKeyChecking=no", option, "accept-new"))
        #expect(try !accepts("-o", "UserKnownHostsFile=/f", option, "accept-new"))
        #expect(try accepts("-o", "StrictHostKeyChecking=accept-new", "-o", "UserKnownHostsFile=none"))
        #expect(try !accepts("-o", "UserKnownHostsFile=none", option, "strict"))
        #expect(try !accepts("-o", "UserKnownHostsFile=none", "--known-hosts", "/f", option, "accept-new"))
        #expect(throws: UsageProblem.self) { try accepts("-o", "UserKnownHostsFile=none", option, "accept-new") }
    }

    @Test("destination wins") func destinationWins() throws {
        let plan = try plan("joe@web1:77", "x", in: machine(Self.file))
        #expect("\(plan.endpoint)" == "joe@real.example:77")
    }

    @Test("options come before files and need none") func optionsComeBeforeFilesAndNeedNone() throws {
        let both = try plan("-o", "Port=9", "-o", "User=o", "web1", "x", in: machine(Self.file))
        #expect("\(both.endpoint)" == "o@real.example:9")
        let none = try plan("--config", "none", "-o", "Port=9", "web1", "x", in: machine(Self.file))
        #expect("\(none.endpoint)" == "me@web1:9")
        #expect(none.commandOptions.environment.isEmpty)
        // UpdateHostKeys is on by default with the standard files (ssh_config(5)).
        var usual = SSHKnownHostsFiles.standard(home: "/home/me")
        usual.learnsAnnouncedKeys = true
        #expect(none.configuration.knownHosts == usual)
    }

    /// Joined options as in ssh(1), only before the host: the words after it are the command's.
    @Test("joined options") func joinedOptions() throws {
        let arguments = ["run", "-oPort=9", "-q", "-oUser=o", "-i/a=b", "web1", "echo", "-oUser=x", "--", "-oPort=1"]
        let run = try #require(try JoinedOptions.parse(arguments) as? RunCommand)
        #expect(run.files.option == ["Port=9", "User=o"] && run.credentials.identity == ["/a=b"])
        #expect(run.words == ["web1", "echo", "-oUser=x", "--", "-oPort=1"])
        let config = try #require(try JoinedOptions.parse(["config", "web1", "-oUser=o"]) as? ConfigCommand)
        #expect(config.files.option == ["User=o"] && config.destination == "web1")
        #expect(try #require(try JoinedOptions.parse(["run", "--", "-oPort=1"]) as? RunCommand).words == ["--", "-oPort=1"])
    }

    @Test("command and terminal") func commandAndTerminal() throws {
        let remote = machine("RemoteCommand echo %n\nRequestTTY force\n")
        #expect(try plan("web1", in: remote).command == "echo web1")
        #expect(try plan("web1", in: remote).wantsTerminal)
        #expect(usage { try plan("web1", "x", in: remote) }?.field == "command")
        #expect(try !plan("web1", "x", in: machine("RequestTTY yes\n")).wantsTerminal)
        var seated = machine("RequestTTY yes\n")
        seated.isInputTerminal = true
        #expect(try plan("web1", "x", in: seated).wantsTerminal)
    }

    @Test("log level", arguments: [("QUIET", 0, true), ("INFO", 0, false), ("VERBOSE", 1, false), ("DEBUG3", 2, false)])
    func logLevel(_ level: String, _ verbosity: Int, _ isQuiet: Bool) throws {
        let plan = try plan("web1", "x", in: machine("LogLevel \(level)\n"))
        #expect(plan.output.verbosity == verbosity && plan.output.quiet == isQuiet)
    }

    @Test("-v overrides LogLevel QUIET") func verboseWinsOverQuietLogLevel() throws {
        #expect(try !plan("-v", "web1", "x", in: machine("LogLevel QUIET\n")).output.quiet)
    }

    @Test("batch mode asks nothing") func batchModeAsksNothing() throws {
        let plan = try plan("web1", "x", in: machine("BatchMode yes\n"))
        #expect(!plan.mayAsk && plan.configuration.hostKeyPolicy == .strict)
    }

    /// An invalid line, and an unsupported setting: the verdict contains the place too.
    @Test(
        "wrong lines",
        arguments: [
            ("Host *\nStrictKeyChecking 1\n", 2), ("User x\n\nProxyJump web1\n", 3),
            ("ProxyCommand nc %q\n", 1), ("ProxyCommand nc %h\nProxyUseFdpass yes\n", 2),
            ("IdentityFile /%x\n", 1), ("Port 0\n", 1),
        ])
    func wrongLines(_ text: String, _ line: Int) throws {
        let problem = try #require(throws: UsageProblem.self) { try plan("web1", "x", in: machine(text)) }
        guard case .configurationInvalid(let file, let number, let words) = problem.event else {
            Issue.record("\(problem)")
            return
        }
        #expect(file == "/home/me/.ssh/config" && number == line && !words.isEmpty)
        #expect(problem.verdict.code == .localConfigInvalid)
        #expect(problem.verdict.exitStatus(.bridge).rawValue == 199)
    }

    @Test("settings without effect are reported") func whatHasNoEffectIsReported() throws {
        let notes = try plan("web1", "x", in: machine("Compression yes\nForwardAgent yes\nExitOnForwardFailure no\nUser u\n"))
            .notes
        #expect(notes.contains { $0.contains("compression yes") && $0.contains("/home/me/.ssh/config:1") })
        #expect(notes.contains { $0.contains("forwardagent yes") })
        #expect(notes.count == 2)
    }

    @Test("settings of ssh's shared connection are reported, each once") func controlMaster() throws {
        let text = "ControlMaster auto\nControlPath ~/.ssh/%C\nControlPersist 10m\nHost *\nControlMaster yes\n"
        let notes = try plan("web1", "x", in: machine(text)).notes
        for (line, setting) in ["controlmaster auto", "controlpath /home/me/.ssh/", "controlpersist 600"].enumerated() {
            let reported = notes.filter {
                $0.hasPrefix(setting) && $0.hasSuffix("has no effect here (/home/me/.ssh/config:\(line + 1))")
            }
            #expect(reported.count == 1, "\(notes)")
        }
        #expect(notes.count == 3)
        #expect(try plan("web1", "x", in: machine("ControlMaster no\nControlPath none\n")).notes == [])
    }

    @Test("configuration is printed") func configurationIsPrinted() throws {
        var context = SSHConfigContext(home: "/h", localUser: "me", userID: 1, localHostName: "here")
        context.files = SSHConfigFiles(
            read: { _, _ in .bytes(Array("User u\nCompression yes\n".utf8)) }, matching: { _ in [] })
        let resolved = try SSHConfigFile(context: context, source: .file("/c")).resolve(host: "web1")
        #expect(ConfigCommand.text(resolved, false).hasPrefix("host web1\nuser u\nhostname web1\nport 22\n"))
        let json = ConfigCommand.json(resolved, false)
        // As git config --show-origin: the place, a tab, the setting; one place for each value.
        let origins = ConfigCommand.text(resolved, true).split(separator: "\n")
        #expect(origins.contains("/c:1\tuser u") && origins.contains("default\tport 22"))
        #expect(ConfigCommand.json(resolved, true).contains(#""origins":{"host":"default","user":"/c:1""#))
        #expect(json.contains(#""identityfile":["~/.ssh/id_rsa","#))
        #expect(json.contains(#""unsupported":[{"name":"compression","value":"yes","place":"/c:2"}]"#))
    }
}
