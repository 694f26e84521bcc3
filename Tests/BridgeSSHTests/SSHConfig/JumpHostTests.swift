import SSHTestSupport
import Testing

@testable import BridgeSSH

/// The jump hosts of a configuration, and the settings for each.
@Suite("Jump hosts of a configuration") struct JumpHostTests {
    private static func hosts(
        _ text: String, options: [String] = [], host: String = "web1", user: String? = nil
    ) throws -> [SSHConfigSettings] {
        let configuration = SSHConfigFile(
            context: ConfigurationRuleTests.context(["/c": text]), source: .file("/c"), options: options)
        return try configuration.jumpHosts(for: configuration.resolve(host: host, user: user))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let file: String
        var options: [String] = []
        /// As `user@host:port`, the nearest to here first.
        let chain: [String]
        var testDescription: String { "\(file) \(options)" }
    }

    static let cases: [Case] = [
        Case(file: "", chain: []),
        Case(file: "ProxyJump none\n", chain: []),
        Case(file: "Host web1\nProxyJump a\n", chain: ["me@a:22"]),
        Case(file: "Host web1\nProxyJump a,b,c\n", chain: ["me@a:22", "me@b:22", "me@c:22"]),
        // Each jump host is configured under its own name.
        Case(
            file: "Host web1\nProxyJump a,b\nHost a\nHostName 192.0.2.1\nUser ann\nHost b\nPort 2222\n",
            chain: ["ann@192.0.2.1:22", "me@b:2222"]),
        // The specification overrides the jump host's own configuration.
        Case(
            file: "Host web1\nProxyJump root@a:2200\nHost a\nUser ann\nPort 1\nHostName real\n", chain: ["root@real:2200"]),
        Case(
            file: "Host web1\nProxyJump ssh://u%40x@a:5/,[::1]:6,[fe80::1%lo]\n",
            chain: ["u@x@a:5", "me@::1:6", "me@fe80::1%lo:22"]),
        // The first jump host's own jump hosts are followed, and so on; those of a later one are not.
        Case(
            file: "Host web1\nProxyJump a\nHost a\nProxyJump b\nHost b\nProxyJump c\n", chain: ["me@c:22", "me@b:22", "me@a:22"]),
        Case(file: "Host web1\nProxyJump a,b\nHost b\nProxyJump x\n", chain: ["me@a:22", "me@b:22"]),
        Case(file: "Host *\nProxyJump a\nHost web1\nUser x\n", options: ["ProxyJump=none"], chain: []),
        Case(file: "Host a\nProxyJump none\nHost *\nProxyJump a\n", chain: ["me@a:22"]),
        // Options apply to the destination only.
        Case(file: "", options: ["ProxyJump=a", "User=x", "Port=9"], chain: ["me@a:22"]),
        Case(file: "Host web1\nProxyJump a\n", options: ["ProxyJump=b,c"], chain: ["me@b:22", "me@c:22"]),
        Case(file: "Host web1\nHostName real\nUser deploy\nProxyJump %r@jump-%h\n", chain: ["deploy@jump-real:22"]),
        Case(file: "Host web1\nProxyCommand x\nProxyJump a\n", chain: []),
        // The same host may occur twice without a circle.
        Case(file: "Host web1\nProxyJump a,b,a\n", chain: ["me@a:22", "me@b:22", "me@a:22"]),
        // An address may be another host's behind the jump host.
        Case(
            file: "Host web1\nHostName 10.0.0.1\nProxyJump a\nHost a\nHostName 10.0.0.1\n", chain: ["me@10.0.0.1:22"]),
    ]

    @Test("the chain", arguments: cases) func chain(_ row: Case) throws {
        let hosts = try Self.hosts(row.file, options: row.options)
        #expect(hosts.map { "\($0.user)@\($0.hostName):\($0.port)" } == row.chain)
        // Only the first may still have a ProxyCommand.
        #expect(hosts.dropFirst().allSatisfy { $0.value("proxyjump") == nil && $0.value("proxycommand") == nil })
        #expect(hosts.first?.value("proxyjump") == nil)
    }

    @Test("a hundred jump hosts are accepted and one more is refused, in one line or each through the next")
    func length() throws {
        func line(_ count: Int) -> String { "Host web1\nProxyJump " + (1...count).map { "h\($0)" }.joined(separator: ",") + "\n" }
        func chain(_ count: Int) -> String {
            "Host web1\nProxyJump h1\n" + (1..<count).map { "Host h\($0)\nProxyJump h\($0 + 1)\n" }.joined()
        }
        for file in [line, chain] {
            #expect(try Self.hosts(file(100)).count == 100)
            for count in [101, 300] {
                let problem = try #require(throws: SSHConfigProblem.self) { try Self.hosts(file(count)) }
                #expect(problem.problem.contains("more than 100 jump hosts"), "\(problem)")
            }
        }
    }

    @Test(
        "a circle is refused, with the line that closes it",
        arguments: [
            ("ProxyJump web1\n", 1), ("Host *\nProxyJump a\n", 2),
            ("Host web1\nProxyJump a\nHost a\nProxyJump b\nHost b\nProxyJump a\n", 6),
            ("Host web1\nProxyJump a\nHost a\nProxyJump x,web1\n", 4),
        ])
    func circle(file: String, line: Int) throws {
        let problem = try #require(throws: SSHConfigProblem.self) { try Self.hosts(file) }
        #expect(problem.line == line && problem.problem.contains("circle"), "\(problem)")
    }

    @Test("errors in a jump host's own lines") func wrongLines() {
        #expect(throws: SSHConfigProblem.self) { try Self.hosts("Host web1\nProxyJump a\nHost a\nPort 0\n") }
        #expect(throws: SSHConfigProblem.self) { try Self.hosts("Host web1\nProxyJump %q\n") }
    }

    @Test(
        "the proxy command and its tokens",
        arguments: [
            ("ProxyCommand nc %h %p # %n %r %k %%\n", "nc real 7 # web1 me alias %"), ("ProxyCommand none\n", nil),
            ("ProxyCommand nc\nProxyJump a\n", "nc"), ("ProxyJump a\nProxyCommand nc\n", nil),
            ("ProxyJump none\nProxyCommand nc %h\n", "nc real"), ("ProxyUseFdpass yes\n", nil),
            ("ProxyCommand ssh -W [%h]:%p jump\n", "ssh -W [real]:7 jump"),
        ] as [(String, String?)])
    func proxyCommand(line: String, expected: String?) throws {
        let resolved = try ConfigurationRuleTests.resolve("HostName real\nPort 7\nHostKeyAlias alias\n" + line)
        #expect(try resolved.proxyCommand() == expected)
    }

    @Test("invalid proxy commands", arguments: ["ProxyCommand nc %C\n", "ProxyCommand nc %\n"])
    func wrongTokens(line: String) throws {
        let resolved = try ConfigurationRuleTests.resolve(line)
        let problem = try #require(throws: SSHConfigProblem.self) { try resolved.proxyCommand() }
        #expect(problem.line == 1)
    }

    @Test("fdpass is refused by name") func fdpassIsRefusedByName() throws {
        let resolved = try ConfigurationRuleTests.resolve("ProxyCommand nc\nProxyUseFdpass yes\n")
        let problem = try #require(throws: SSHConfigProblem.self) { try resolved.proxyCommand() }
        #expect(problem.line == 2 && problem.problem.contains("ProxyUseFdpass"))
    }

    @Test("a connection is not made without its jump hosts") func aConnectionIsNotMadeWithoutItsJumpHosts() throws {
        let resolved = try ConfigurationRuleTests.resolve("ProxyJump a\n")
        var configuration = SSHConnectionConfiguration()
        #expect(throws: SSHConfigProblem.self) {
            try configuration.apply(resolved, context: ConfigurationRuleTests.context([:]), canAsk: false)
        }
        let host = SSHJumpHost(SSHEndpoint(unchecked: "a", user: "me"), configuration: SSHConnectionConfiguration())
        try configuration.apply(resolved, context: ConfigurationRuleTests.context([:]), canAsk: false, through: [host])
        #expect(configuration.jumpHosts.map(\.endpoint.host) == ["a"])
    }

    /// ssh(1) refuses the same arguments, before it connects to anything.
    @Test("ssh refuses it too", arguments: ["Host *\n  ProxyJump a\n", "ProxyCommand nc %C\n"]) func sshRefusesItToo(file: String)
        async throws
    {
        try await ScratchDirectory.with { directory in
            let path = try directory.write(file, to: "config")
            let theirs = try await ProcessRun.run("/usr/bin/ssh", ["-F", path, "a", "true"])
            #expect(theirs.termination == .exited(255))
        }
    }
}

/// The hops of a connection.
@Suite struct HopTests {
    private func host(_ name: String, _ change: (inout SSHConnectionConfiguration) -> Void = { _ in }) -> SSHJumpHost {
        var configuration = SSHConnectionConfiguration()
        change(&configuration)
        return SSHJumpHost(SSHEndpoint(unchecked: name, user: "u"), configuration: configuration)
    }

    @Test("only the first hop's own route is used") func onlyTheFirstHopSaysHowItIsReached() {
        var configuration = SSHConnectionConfiguration()
        configuration.jumpHosts = [
            host("b") {
                $0.jumpHosts = [host("a") { $0.proxyCommand = SSHProxyCommand("p") }]; $0.proxyCommand = SSHProxyCommand("q")
            },
            host("c") {
                $0.jumpHosts = [host("x")]; $0.proxyCommand = SSHProxyCommand("r")
            },
        ]
        configuration.proxyCommand = SSHProxyCommand("s")
        let hops = Hop.hops(to: SSHEndpoint(unchecked: "d", user: "u"), configuration)
        #expect(hops.map(\.endpoint.host) == ["a", "b", "c", "d"])
        #expect(hops.map { $0.place?.number } == [1, 2, 3, 4])
        #expect(hops.allSatisfy { $0.place?.count == 4 })
        #expect(hops[2].place?.via == ["u@a:22", "u@b:22"])
        #expect(hops[0].configuration.proxyCommand?.command == "p")
    }

    @Test("one hop is not a chain") func oneLegIsNoChain() {
        let hops = Hop.hops(to: SSHEndpoint(unchecked: "d", user: "u"), SSHConnectionConfiguration())
        #expect(hops.count == 1 && hops[0].place == nil)
    }
}
