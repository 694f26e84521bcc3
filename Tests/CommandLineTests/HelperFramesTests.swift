import BridgeSSH
import SSHRun
import SSHTestSupport
import Testing

@testable import SSHCommandLine

/// Messages between a run and a helper arrive unchanged.
@Suite("Frames of a helper") struct HelperFramesTests {
    private func copy<Value: FieldCoded>(_ value: Value) throws -> Value {
        try FieldCoder.value(of: Value.self, from: FieldCoder.bytes(of: value))
    }

    private static var configuration: SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration.standard(home: "/home/ann", agentSocket: "/agent")
        configuration.hostKeyAlias = "alias"
        configuration.hostKeyPolicy = .acceptNew
        configuration.addressFamily = .ipv6
        configuration.proxyCommand = SSHProxyCommand("nc %h", shell: "/bin/dash", environment: ["A=b"])
        configuration.timeouts.connect = .seconds(1.5)
        configuration.keepalive = SSHKeepaliveOptions(interval: .seconds(2.5), countMax: 4)
        configuration.algorithms.ciphers = ["aes128-ctr"]
        configuration.credentials.methods = [.password]
        configuration.credentials.certificates = ["/c-cert.pub"]
        configuration.knownHosts.revoked = ["/revoked"]
        configuration.knownHosts.acceptsWithoutRemembering = true
        configuration.knownHostsCommand = SSHKnownHostsCommand(["/bin/keys", "%H"], environment: ["C=d"])
        configuration.jumpHosts = [
            SSHJumpHost(
                SSHEndpoint(unchecked: "gate", port: 2222, user: "bob"), configuration: .standard(home: "/h"),
                connectTimeout: .seconds(2.5))
        ]
        return configuration
    }

    @Test("a configuration") func configuration() throws {
        let copy = try copy(Self.configuration)
        #expect(FieldCoder.bytes(of: copy) == FieldCoder.bytes(of: Self.configuration))
        #expect(copy.algorithms == Self.configuration.algorithms && copy.knownHosts == Self.configuration.knownHosts)
        #expect(copy.jumpHosts[0].endpoint == Self.configuration.jumpHosts[0].endpoint)
        #expect(copy.credentials.certificates == ["/c-cert.pub"])
        #expect(copy.jumpHosts[0].connectTimeout == .seconds(2.5))
        #expect(copy.knownHostsCommand == Self.configuration.knownHostsCommand)
        #expect(copy.proxyCommand == Self.configuration.proxyCommand && copy.keepalive == Self.configuration.keepalive)
        // A new setting needs a decision whether it is sent (Configuration+Fields).
        let names = Mirror(reflecting: SSHConnectionConfiguration()).children.compactMap(\.label)
        #expect(
            names == [
                "credentials", "knownHosts", "hostKeyAlias", "knownHostsCommand", "trustedHostKeys", "hostKeyPolicy",
                "addressFamily", "localAddress", "jumpHosts", "proxyCommand", "timeouts", "keepalive", "algorithms",
                "reachOptions", "reportsAnnouncedKeys", "interaction", "observer", "logger", "metrics", "eventLoopGroup",
                "executor",
                "agents", "seenKeys", "openedKeys", "decryptedKeyFiles", "settingPlaces",
            ])
        #expect(Mirror(reflecting: SSHCredentials()).children.count == 10)
        #expect(Mirror(reflecting: SSHKnownHostsFiles(user: [])).children.count == 8)
    }

    @Test("a configuration contains no secret") func secrets() {
        var configuration = Self.configuration
        configuration.credentials.password = SSHSecret("hunter2")
        configuration.credentials.passphrase = SSHSecret("correct horse")
        #expect(FieldCoder.bytes(of: configuration) == FieldCoder.bytes(of: Self.configuration))
    }

    @Test("who may share a connection") func identity() {
        let endpoint = SSHEndpoint(unchecked: "web1", user: "ann")
        let name = ConnectionIdentity(endpoint, Self.configuration).name
        #expect(name.utf8.count == 32)
        var same = Self.configuration
        same.timeouts.connect = .seconds(99)
        same.hostKeyPolicy = .strict
        same.proxyCommand?.environment = ["PWD=/elsewhere"]
        same.knownHostsCommand?.environment = []
        same.credentials.password = SSHSecret("x")
        #expect(ConnectionIdentity(endpoint, same).name == name)
        let changes: [(inout SSHConnectionConfiguration) -> Void] = [
            { $0.credentials.identities = [] }, { $0.credentials.agentSocket = nil }, { $0.knownHosts.user = [] },
            { $0.jumpHosts = [] }, { $0.knownHostsCommand = nil }, { $0.jumpHosts[0].configuration.credentials.identities = [] },
            { $0.proxyCommand = nil }, { $0.credentials.acceptedAlgorithms = ["ssh-ed25519"] },
            { $0.credentials.acceptedAlgorithms = [] },
            { $0.algorithms.ciphers = [] }, { $0.hostKeyAlias = nil }, { $0.addressFamily = .any },
        ]
        for change in changes {
            var other = Self.configuration
            change(&other)
            #expect(ConnectionIdentity(endpoint, other).name != name)
        }
        #expect(ConnectionIdentity(SSHEndpoint(unchecked: "web2", user: "ann"), Self.configuration).name != name)
        #expect(ConnectionIdentity(endpoint, Self.configuration, circumstances: ["/here"]).name != name)
    }

    @Test("runs whose arguments depend on the directory") func directory() {
        var configuration = SSHConnectionConfiguration.standard(home: "/home/ann", agentSocket: "/agent")
        for secrets in [[], ["", ""], ["-", "/secret"]] { #expect(!PersistPlan.dependsOnDirectory(configuration, secrets)) }
        for secrets in [["secret", ""], ["", "./secret"]] { #expect(PersistPlan.dependsOnDirectory(configuration, secrets)) }
        configuration.knownHosts.revoked = ["revoked"]
        #expect(PersistPlan.dependsOnDirectory(configuration))
    }

    @Test("a run with every option of its command") func run() throws {
        var options = SSHCommandOptions()
        options.environment = [("A", "b"), ("C", "")]
        options.timeout = .seconds(1)
        options.idleTimeout = .seconds(2)
        options.drain = .seconds(0.5)
        options.outputLimit = 7
        options.mergesOutput = true
        options.pty = SSHPTYOptions(terminal: "xterm", columns: 1, rows: 2)
        options.pty?.modes = [1, 0, 0, 0, 3, 0]
        var request = RunRequest(command: "ls\u{e9}", connectTimeout: .seconds(3), collectsOutput: true, watchesServer: true)
        request.options = options
        let copy = try copy(request)
        #expect(
            copy.command == request.command && copy.collectsOutput && copy.watchesServer && copy.connectTimeout == .seconds(3))
        let (unset, received) = (Self.values(of: SSHCommandOptions()), Self.values(of: copy.options))
        for (name, value) in Self.values(of: options) {
            #expect(value != unset[name], "\(name) has no value in this test")
            #expect(value == received[name], "\(name)")
        }
    }

    /// The properties of a value, as text.
    private static func values(of value: Any) -> [String: String] {
        Dictionary(
            Mirror(reflecting: value).children.map { ($0.label ?? "", "\($0.value)") }, uniquingKeysWith: { first, _ in first })
    }

    @Test("why a connection trusts its hosts") func trust() throws {
        let key = SSHHostKey(algorithm: "ssh-ed25519", blob: [1, 2, 3])
        let trust = KeptTrust(hostKeys: [KeptHostKey(key, .known), KeptHostKey(key, .person), KeptHostKey(key, .policy)])
        #expect(try copy(trust) == trust)
    }

    @Test("an outcome") func outcome() throws {
        var timings = SSHStageTimings()
        timings.seconds.command = 2.5
        timings.seconds.resolve = 0.25
        let error = UsageProblem(field: "--x", problem: "y").verdict
        let signal = SSHTermination.signalled(SSHExitSignal(name: "KILL", coreDumped: true, message: "m"))
        let ends: [RunOutcome.End] = [
            .ended(.exited(0), nil), .ended(signal, error), .ended(.unknown, error), .failed(error), .outputClosed,
            .cancelled(signal: nil), .unforeseen("what"),
        ]
        for end in ends {
            let copy = try copy(OutcomeReport(end, timings: timings))
            #expect("\(try copy.end())" == "\(end)")
            #expect(copy.timings == timings)
        }
    }

    @Test("anything but a whole value is refused") func damage() {
        let bytes = FieldCoder.bytes(of: Self.configuration)
        for length in stride(from: 0, to: bytes.count, by: 7) {
            #expect(throws: SSHWireError.self) {
                try FieldCoder.value(of: SSHConnectionConfiguration.self, from: Array(bytes.prefix(length)))
            }
        }
        #expect(throws: SSHWireError.self) { try FieldCoder.value(of: SSHConnectionConfiguration.self, from: bytes + [0]) }
    }

    @Test(
        "times",
        arguments: [
            ("90", 90.0), ("90s", 90), ("10m", 600), ("2h", 7200), ("1D", 86_400), ("365d", 31_536_000), ("0", nil), ("", nil),
            ("m", nil), ("1.5m", 90), ("-1", nil), ("366d", nil), ("1w", 604_800), ("99999999999999999999", nil),
        ] as [(String, Double?)])
    func times(_ text: String, _ seconds: Double?) { #expect(KeepTime(argument: text)?.seconds == seconds) }

    @Test("how a person names a helper") func meant() {
        let status = HelperStatus(named: "deploy@web1", endpoint: SSHEndpoint(unchecked: "10.0.0.1", port: 2222, user: "deploy"))
        for name in ["deploy@web1", "web1", "10.0.0.1", "deploy@10.0.0.1", "deploy@10.0.0.1:2222"] {
            #expect(status.isMeant(by: name), "\(name)")
        }
        for name in ["web", "deploy", "", "eb1", "10.0.0.1:2222"] { #expect(!status.isMeant(by: name), "\(name)") }
    }
}
