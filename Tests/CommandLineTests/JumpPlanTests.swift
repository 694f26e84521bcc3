import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

/// Combining `-J`, ssh's configuration and the other options for each host of a chain.
@Suite struct JumpPlanTests {
    @Test(
        "valid forms",
        arguments: [
            ("gate", ["me@gate:22"]), ("a,root@b:2222", ["me@a:22", "root@b:2222"]),
            ("[2001:db8::7]:2222,u@[::1]", ["me@[2001:db8::7]:2222", "u@[::1]:22"]), ("[fe80::1%eth0]", ["me@[fe80::1%eth0]:22"]),
            ("ssh://u@gate:2200", ["u@gate:2200"]), ("ssh://[::1]:7", ["me@[::1]:7"]), ("none", []),
        ])
    func forms(_ value: String, _ hosts: [String]) throws {
        for arguments in [["-J", value], ["-J\(value)"], ["--jump", value], ["-o", "ProxyJump=\(value)"]] {
            let plan = try RunCommandPlan(runOptions(arguments + ["web1", "x"]), launchEnvironment: .configured(""))
            #expect(plan.configuration.jumpHosts.map(\.endpoint.description) == hosts, "\(arguments)")
            #expect(plan.endpoint == SSHEndpoint(unchecked: "web1", user: "me"))
        }
    }

    @Test("invalid forms", arguments: ["", "a,,b", "a;b", "::1", "a:0", "a/b", "u@", "[::1"]) func wrongForms(_ value: String)
        throws
    {
        #expect(throws: UsageProblem.self) { try plan("-J", value, "web1", "x", in: .configured("")) }
    }

    @Test("each host has its own configuration") func eachHostHasItsOwnConfiguration() throws {
        let file = """
            Host gate
              HostName gate.example
              User ann
              Port 2200
              IdentityFile ~/.ssh/gate
              HostKeyAlias the-gate
              UserKnownHostsFile /gate-hosts
              BatchMode yes
              ConnectTimeout 3
            Host web1
              ProxyJump gate
              IdentityFile ~/.ssh/web
            """
        let plan = try plan(
            "-i", "/mine", "--known-hosts", "/known", "--agent", "/agent2", "--keepalive", "4", "web1", "x", in: .configured(file)
        )
        let gate = try #require(plan.configuration.jumpHosts.first)
        #expect("\(gate.endpoint)" == "ann@gate.example:2200")
        // -i is the destination's; the agent, the known hosts and the keepalive apply to all hops.
        #expect(gate.configuration.credentials.identities == [SSHIdentity(path: "/home/me/.ssh/gate")])
        #expect(plan.configuration.credentials.identities.map(\.path) == ["/mine", "/home/me/.ssh/web"])
        for configuration in [gate.configuration, plan.configuration] {
            #expect(configuration.credentials.agentSocket == "/agent2" && configuration.knownHosts.user == ["/known"])
            #expect(configuration.keepalive?.interval == .seconds(4))
        }
        #expect(gate.configuration.hostKeyAlias == "the-gate" && plan.configuration.hostKeyAlias == nil)
        #expect(gate.configuration.hostKeyPolicy == .strict && plan.configuration.hostKeyPolicy == .ask)
        #expect(plan.access.silentJumpHosts == [0] && plan.mayAsk)
        #expect(gate.connectTimeout == .seconds(3) && plan.configuration.timeouts.connect == .seconds(15))
    }

    /// ssh hands its options to no jump host.
    @Test("--connect-timeout applies to the destination") func theOptionForTheTimeIsTheDestinations() throws {
        let file = "Host gate\n  ConnectTimeout 0\nHost web1\n  ProxyJump gate\n"
        for option in ["--connect-timeout=7", "-oConnectTimeout=7"] {
            let plan = try plan(option, "web1", "x", in: .configured(file))
            #expect(plan.configuration.jumpHosts.first?.connectTimeout == nil)
            #expect(plan.configuration.timeouts.connect == .seconds(7))
        }
    }

    @Test("a ProxyCommand gets the shell and the environment") func theProxyCommandHasTheShellAndTheEnvironment() throws {
        var launchEnvironment = LaunchEnvironment.configured("ProxyCommand nc %h %p\nRevokedHostKeys ~/revoked\n")
        launchEnvironment.machine?.shell = "/bin/zsh"
        launchEnvironment.machine?.environment = ["A=1"]
        let configuration = try plan("web1:7", "x", in: launchEnvironment).configuration
        #expect(configuration.proxyCommand == SSHProxyCommand("nc web1 7", shell: "/bin/zsh", environment: ["A=1"]))
        #expect(configuration.knownHosts.revoked == ["/home/me/revoked"])
        let jumping = try plan("-J", "gate", "web1", "x", in: launchEnvironment).configuration
        #expect(jumping.proxyCommand == nil)
        #expect(jumping.jumpHosts.first?.configuration.proxyCommand?.command == "nc gate 22")
        // Another known_hosts file keeps the list of revoked keys.
        #expect(try plan("--known-hosts", "/k", "web1", "x", in: launchEnvironment).configuration.knownHosts.revoked != [])
    }

    @Test("the settings of jump hosts have an effect") func nothingOfItIsCalledWithoutEffect() throws {
        let text = "ProxyCommand nc\nRevokedHostKeys /r\n"
        #expect(try plan("web1", "x", in: .configured(text)).notes == [])
        #expect(try plan("web1", "x", in: .configured("Host web1\nProxyJump a\n")).notes == [])
    }
}
