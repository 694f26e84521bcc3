import BridgeSSH
import Testing

/// Settings of ssh's configuration that a connection uses.
@Suite struct ConfigurationApplyTests {
    private func applied(_ text: String, canAsk: Bool = true) throws -> SSHConnectionConfiguration {
        let context = ConfigurationRuleTests.context([:])
        var configuration = SSHConnectionConfiguration.standard(home: "/home/me", agentSocket: "/agent")
        configuration.hostKeyPolicy = canAsk ? .ask : .strict
        try configuration.apply(ConfigurationRuleTests.resolve(text), context: context, canAsk: canAsk)
        return configuration
    }

    @Test("an empty configuration changes nothing") func nothingSaidChangesNothing() throws {
        let (before, after) = (SSHConnectionConfiguration.standard(home: "/home/me", agentSocket: "/agent"), try applied(""))
        #expect(after.credentials.identities == before.credentials.identities)
        #expect(after.credentials.agentSocket == "/agent" && after.credentials.methods == SSHAuthenticationMethod.allCases)
        // UpdateHostKeys is on by default with the standard files.
        var knownHosts = before.knownHosts
        knownHosts.learnsAnnouncedKeys = true
        #expect(after.knownHosts == knownHosts && after.algorithms == before.algorithms)
        #expect(after.timeouts == before.timeouts && after.keepalive == nil && after.hostKeyAlias == nil)
    }

    @Test(
        "StrictHostKeyChecking",
        arguments: [
            ("yes", true, SSHHostKeyPolicy.strict), ("ask", true, .ask), ("ask", false, .strict),
            ("accept-new", false, .acceptNew),
            ("no", true, .acceptNew), ("off", false, .acceptNew),
        ])
    func strictness(_ value: String, _ canAsk: Bool, _ policy: SSHHostKeyPolicy) throws {
        #expect(try applied("StrictHostKeyChecking \(value)\n", canAsk: canAsk).hostKeyPolicy == policy)
    }

    @Test(
        "a host is trusted anew in the file that is written",
        arguments: [
            ("", false), ("StrictHostKeyChecking accept-new\n", false), ("StrictHostKeyChecking no\n", true),
            ("UserKnownHostsFile none\n", true), ("UserKnownHostsFile ~/k ~/k2\n", false),
        ])
    func trustsAnewWhereItIsWritten(_ lines: String, _ accepts: Bool) throws {
        #expect(try applied(lines).knownHosts.acceptsWithoutRemembering == accepts)
    }

    @Test("trust") func trust() throws {
        let configuration = try applied(
            "UserKnownHostsFile ~/k-%k none2\nGlobalKnownHostsFile none\nHostKeyAlias Alias\nHashKnownHosts yes\n")
        #expect(configuration.knownHosts.user == ["/home/me/k-alias", "none2"])
        #expect(configuration.knownHosts.system == [] && configuration.knownHosts.hashesNames)
        #expect(configuration.hostKeyAlias == "alias" && !configuration.knownHosts.areExplicit)
    }

    @Test(
        "methods",
        arguments: [
            ("PreferredAuthentications keyboard-interactive,gssapi-with-mic,publickey", [.keyboardInteractive, .publicKey]),
            ("PubkeyAuthentication no", [.password, .keyboardInteractive]),
            ("PasswordAuthentication no", [.publicKey, .keyboardInteractive]),
            ("KbdInteractiveAuthentication no", [.publicKey, .password]),
            ("PubkeyAuthentication unbound", SSHAuthenticationMethod.allCases),
        ])
    func methods(_ line: String, _ methods: [SSHAuthenticationMethod]) throws {
        #expect(try applied(line + "\n").credentials.methods == methods)
    }

    @Test("agent", arguments: [("none", nil), ("SSH_AUTH_SOCK", "/agent"), ("/x/%h", "/x/web1"), ("$SOCKET", "/from-variable")])
    func agent(_ value: String, _ socket: String?) throws {
        let context = { (context: inout SSHConfigContext) in context.variable = { $0 == "SOCKET" ? "/from-variable" : nil } }
        var machine = ConfigurationRuleTests.context([:])
        context(&machine)
        var configuration = SSHConnectionConfiguration.standard(home: "/home/me", agentSocket: "/agent")
        let resolved = try ConfigurationRuleTests.resolve("IdentityAgent \(value)\n", context)
        try configuration.apply(resolved, context: machine, canAsk: false)
        #expect(configuration.credentials.agentSocket == socket)
    }

    @Test("algorithm lists modify the library's defaults") func algorithmsChangeOurDefaults() throws {
        let ours = SSHAlgorithmPreferences()
        #expect(try applied("Ciphers +aes128-cbc\n").algorithms.ciphers == ours.ciphers + ["aes128-cbc"])
        #expect(try applied("MACs -*sha1*\n").algorithms.macs == ours.macs.filter { !$0.contains("sha1") })
        #expect(try applied("HostKeyAlgorithms ^ssh-rsa\n").algorithms.hostKey == ["ssh-rsa"] + ours.hostKey)
        #expect(try applied("KexAlgorithms ecdh-sha2-nistp256\n").algorithms.keyExchange == ["ecdh-sha2-nistp256"])
        // A change modifies this library's defaults, not those of ssh.
        #expect(!(try applied("KexAlgorithms -x\n").algorithms.keyExchange.contains("sntrup761x25519-sha512")))
    }

    @Test(
        "PubkeyAcceptedAlgorithms",
        arguments: [
            ("-*", []), ("ssh-ed25519,rsa-sha2-???", ["ssh-ed25519", "rsa-sha2-256", "rsa-sha2-512"]),
            ("sk-ssh-ed25519@*", ["sk-ssh-ed25519@openssh.com"]),
        ])
    func acceptedAlgorithms(_ value: String, _ names: [String]) throws {
        let line = "PubkeyAcceptedAlgorithms \(value)\n"
        #expect(try applied(line).credentials.acceptedAlgorithms == names)
        #expect(try ConfigurationRuleTests.resolve(line).unsupported.isEmpty)
    }

    @Test("more algorithms than by default, and all if nothing is set") func moreAcceptedAlgorithms() throws {
        let more = try applied("PubkeyAcceptedAlgorithms +ssh-rsa\n").credentials.acceptedAlgorithms
        #expect(more?.contains("ssh-rsa") == true && more?.contains("ssh-ed25519") == true)
        #expect(try applied("User x\n").credentials.acceptedAlgorithms == nil)
    }

    @Test("a list that is empty for ssh too is an invalid line; one that is empty only here is left to libssh2")
    func emptyList() throws {
        let error = try #require(throws: SSHConfigProblem.self) { try applied("User x\nHostKeyAlgorithms -*\n") }
        #expect(error.description.contains(":2: -* leaves no algorithm"))
        let security = try applied("HostKeyAlgorithms -ssh-*,ecdsa-*,rsa-*\n").algorithms.hostKey
        #expect(!security.isEmpty && security.allSatisfy { $0.hasPrefix("sk-") })
    }

    @Test("environment") func environment() throws {
        let resolved = try ConfigurationRuleTests.resolve("SendEnv LANG LC_* B\nSetEnv B=2 \"C=a b=c\"\n")
        let sent = resolved.commandEnvironment(from: [("LC_X", "1"), ("OTHER", "1"), ("B", "1"), ("LANG", "C")])
        #expect(sent.map { "\($0.name)=\($0.value)" } == ["LC_X=1", "LANG=C", "B=2", "C=a b=c"])
    }

    @Test("numbers") func numbers() throws {
        let configuration = try applied(
            "NumberOfPasswordPrompts 1\nServerAliveInterval 5\nServerAliveCountMax 0\nConnectTimeout 0\n")
        #expect(configuration.credentials.passwordPrompts == 1)
        #expect(configuration.keepalive == nil && configuration.timeouts == SSHTimeouts())
        let other = try applied("ServerAliveInterval 5\nServerAliveCountMax 2\nConnectTimeout 7\n")
        #expect(other.keepalive == SSHKeepaliveOptions(interval: .seconds(5), countMax: 2))
        #expect(other.timeouts.connect == .seconds(7) && other.timeouts.resolve == .seconds(7))
    }

    @Test("unsupported settings are reported") func whatIsNotSupportedIsSaid() throws {
        let text = "Compression yes\nForwardAgent no\nUser x\nCertificateFile /c\nLocalForward 1 a:2\nForwardAgent /sock\n"
        let names = try ConfigurationRuleTests.resolve(text).unsupported.map(\.name)
        #expect(names == ["compression", "localforward", "forwardagent"])
    }
}
