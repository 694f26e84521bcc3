import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

@Suite struct RunPlanTests {
    @Test(
        "everything after the host is the command",
        arguments: [
            (["web1", "uptime"], "uptime"),
            (["web1", "--", "false"], "false"),
            (["web1", "--", "--", "x"], "-- x"),
            (["web1", "ls", "-l", "--json", "-p", "1"], "ls -l --json -p 1"),
            (["web1", "ls", "--help"], "ls --help"),
            (["web1", "ls", "--version", "--", "-v"], "ls --version -- -v"),
            (["--json", "web1", "a  b", "c"], "a  b c"),
            (["--", "web1", "-x"], "-x"),
            (["-vv", "-p22", "web1", "échо", "日本"], "échо 日本"),
        ])
    func everythingAfterTheHostIsTheCommand(_ arguments: [String], _ command: String) throws {
        let plan = try RunCommandPlan(runOptions(arguments), launchEnvironment: .bare)
        #expect(plan.command == command && plan.endpoint.host == "web1")
    }

    @Test("user, host and port") func whoAndWhere() throws {
        #expect(try plan("web1", "x").endpoint == SSHEndpoint(unchecked: "web1", port: 22, user: "me"))
        #expect(try plan("bob@web1:2222", "x").endpoint == SSHEndpoint(unchecked: "web1", port: 2222, user: "bob"))
        #expect(
            try plan("-l", "eve", "-p", "23", "bob@web1:2222", "x").endpoint
                == SSHEndpoint(unchecked: "web1", port: 23, user: "eve")
        )
        #expect(try plan("bob@[::1]:24", "x").endpoint == SSHEndpoint(unchecked: "::1", port: 24, user: "bob"))
        #expect(try plan("::1", "x").endpoint == SSHEndpoint(unchecked: "::1", port: 22, user: "me"))
    }

    @Test("the last of an option wins") func theLastOfAnOptionWins() throws {
        #expect(try plan("-p", "1", "--port", "2", "web1", "x").endpoint.port == 2)
        #expect(try plan("-4", "-6", "web1", "x").configuration.addressFamily == .ipv6)
    }

    @Test("own identities replace the default ones") func ownIdentitiesReplaceTheDefaultOnes() throws {
        let standard = try plan("web1", "x").configuration.credentials.identities
        #expect(!standard.isEmpty && standard.allSatisfy { $0.isDefault && $0.path.hasPrefix("/home/me/.ssh/id_") })
        let own = try plan("-i", "a", "--identity=~/b", "web1", "x").configuration.credentials.identities
        #expect(own == [SSHIdentity(path: "a"), SSHIdentity(path: "/home/me/b")])
    }

    @Test("the agent") func theAgent() throws {
        #expect(try plan("web1", "x").configuration.credentials.agentSocket == nil)
        #expect(try plan("web1", "x", in: .seated).configuration.credentials.agentSocket == "/run/agent")
        #expect(try plan("--agent", "none", "web1", "x", in: .seated).configuration.credentials.agentSocket == nil)
        #expect(try plan("--agent", "/other", "web1", "x", in: .seated).configuration.credentials.agentSocket == "/other")
    }

    @Test("host keys are asked about only where a person is") func hostKeysAreAskedAboutOnlyWhereAPersonIs() throws {
        #expect(try plan("web1", "x").configuration.hostKeyPolicy == .strict)
        #expect(try plan("web1", "x", in: .seated).configuration.hostKeyPolicy == .ask)
        #expect(try plan("--batch", "web1", "x", in: .seated).configuration.hostKeyPolicy == .strict)
        #expect(try plan("--batch", "web1", "x", in: .seated).mayAsk == false)
        #expect(
            try plan("--host-key-policy", "accept-new", "web1", "x", in: .seated).configuration.hostKeyPolicy == .acceptNew)
    }

    @Test("named known_hosts replace the usual four") func namedKnownHostsReplaceTheUsualFour() throws {
        // UpdateHostKeys is on by default with the standard files only (ssh_config(5)).
        var usual = SSHKnownHostsFiles.standard(home: "/home/me")
        usual.learnsAnnouncedKeys = true
        #expect(try plan("web1", "x").configuration.knownHosts == usual)
        let named = try plan("--known-hosts", "a", "--known-hosts", "b", "web1", "x").configuration.knownHosts
        #expect(named == SSHKnownHostsFiles(user: ["a", "b"]))
    }

    @Test("times") func times() throws {
        let plan = try plan(
            "--connect-timeout", "3", "--timeout", "4.5", "--idle-timeout", "5", "--drain", "6", "--keepalive", "7", "web1", "x")
        #expect(plan.configuration.timeouts.connect == .seconds(3))
        #expect(plan.commandOptions.timeout == .seconds(4.5))
        #expect(plan.commandOptions.idleTimeout == .seconds(5))
        #expect(plan.commandOptions.drain == .seconds(6))
        #expect(plan.configuration.keepalive == SSHKeepaliveOptions(interval: .seconds(7)))
        #expect(try self.plain().commandOptions.timeout == nil)
    }

    @Test("the command's input") func input() throws {
        #expect(try plain().input == .inherited)
        #expect(try plan("-n", "web1", "x").input == .none)
        #expect(try plan("--stdin", "none", "web1", "x").input == .none)
        #expect(try plan("--stdin", "f", "web1", "x").input == .file("f"))
    }

    @Test("variables and limit") func variablesAndLimit() throws {
        let options = try plan("--env", "A=1", "--env", "B=", "--output-limit", "2K", "web1", "x").commandOptions
        #expect(options.environment.map(\.name) == ["A", "B"])
        #expect(options.environment.map(\.value) == ["1", ""])
        #expect(options.outputLimit == 2048)
        #expect(try plain().commandOptions.outputLimit == 64 << 20)
    }

    private func plain() throws -> RunCommandPlan { try plan("web1", "x") }
}
