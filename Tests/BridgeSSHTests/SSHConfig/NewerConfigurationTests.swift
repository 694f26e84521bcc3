import BridgeSSH
import Testing

/// Keywords that OpenSSH has added since 9.2, as 10.0 reads them.
@Suite struct NewerConfigurationTests {
    private func port(_ text: String, _ change: (inout SSHConfigContext) -> Void = { _ in }) throws -> Int {
        try ConfigurationRuleTests.resolve(text + "\nPort 7\n", change).port
    }

    @Test(
        "criteria of newer versions",
        arguments: [
            ("Match tagged \"\"", true), ("Tag a\nMatch tagged \"\"", false), ("Tag a\nMatch tagged a", true),
            ("Tag a\nMatch tagged=a", true),
            ("Tag A\nMatch tagged a", false), ("Tag a\nMatch tagged b,a", true), ("Tag a\nTag b\nMatch tagged b", false),
            ("Tag a\nMatch !tagged a", false), ("Tag a\nMatch tagged *,!a", false), ("Match version OpenSSH_10.*", true),
            ("Match version OpenSSH_9.*", false), ("Match sessiontype exec", true), ("Match sessiontype shell,subsystem", false),
            ("Match command make*", true), ("Match command make", false), ("Match command \"make all\"", true),
            ("Match command \"\"", false), ("Match tagged *", false), ("Match !tagged *", true), ("Match tagged !x,*", false),
            ("Match version OpenSSH_10.0p2*", true), ("Match version OpenSSH_10.0", false),
            ("Match localnetwork 192.0.2.0/24", true), ("Match localnetwork 198.51.100.0/24,2001:db8::/32", true),
            ("Match localnetwork 192.0.3.0/24", false), ("Match localnetwork 192.0.2.7", true),
            ("Match localnetwork 0.0.0.0/0", true),
            ("Match localnetwork ::/0,10.0.0.0/8", true), ("Match localnetwork 192.0.2.8/32", false),
            ("Match host=web1 user=me", true),
            ("Match !host=web2", true), ("Match host =web1", false), ("Match host web1 all", true),
            ("Match host web1 # comment", true),
        ])
    func criteria(text: String, holds: Bool) throws {
        #expect(
            try port(text) {
                $0.session = .command("make all")
                $0.localAddresses = { ["127.0.0.1", "192.0.2.7", "2001:db8::1"] }
            } == (holds ? 7 : 22))
    }

    @Test(
        "invalid lines of newer versions",
        arguments: [
            "Match localnetwork 192.0.2.1/24", "Match localnetwork x", "Match localnetwork 192.0.2.0/33",
            "Match localnetwork 1.2.3.4/",
            "Match host x localnetwork ,", "Match host=", "Match bogus=1", "Match user x tagged", "Match sessiontype \"\"",
            "Match # x",
            "Tag a b", "Tag \"\"", "ChannelTimeout x", "ChannelTimeout =3", "ChannelTimeout a=b", "ChannelTimeout none a=1",
            "ObscureKeystrokeTiming interval:0", "ObscureKeystrokeTiming interval:1001", "ObscureKeystrokeTiming maybe",
            "ObscureKeystrokeTiming yes no", "User %r", "User %C", "User %z", "User ${NOT_SET}", "User a%", "SetEnv A=%z",
            "Include /x/%z", "VersionAddendum %z", "ObscureKeystrokeTiming YES", "ObscureKeystrokeTiming Interval:20",
        ])
    func refused(text: String) throws {
        let problem = try #require(throws: SSHConfigProblem.self) { try ConfigurationRuleTests.resolve("Port 1\n" + text + "\n") }
        #expect(problem.line == 2, "\(problem)")
    }

    @Test("subsystems and hops have types of their own") func subsystemsAndHopsHaveTypesOfTheirOwn() throws {
        #expect(try port("Match sessiontype subsystem command sftp") { $0.session = .subsystem("sftp") } == 7)
        #expect(try port("Match sessiontype none command \"\"") { $0.session = .none } == 7)
        #expect(try port("Match sessiontype shell") { $0.session = .shell } == 7)
        #expect(try port("Match command *") { $0.session = .shell } == 22)
        #expect(try port("SessionType none\nMatch sessiontype none") { $0.session = .shell } == 7)
        let context = ConfigurationRuleTests.context(["/c": "Match sessiontype none\nPort 7\nHost web1\nProxyJump gate\n"])
        let file = SSHConfigFile(context: context, source: .file("/c"))
        let resolved = try file.resolve(host: "web1")
        #expect(resolved.port == 22)
        #expect(try file.jumpHosts(for: resolved).map(\.port) == [7])
    }

    @Test("tokens of user and environment") func tokensOfUserAndEnvironment() throws {
        func resolved(_ text: String, options: [String] = [], user: String? = nil) throws -> SSHConfigSettings {
            var context = ConfigurationRuleTests.context(["/c": text])
            context.variable = { $0 == "WHO" ? "%h" : nil }
            return try SSHConfigFile(context: context, source: .file("/c"), options: options).resolve(host: "web1", user: user)
        }
        #expect(try resolved("User %u-%h%%").user == "me-web1%")
        #expect(try resolved("User ${WHO}").user == "%h")
        #expect(try resolved("HostName real\nUser %h.%n").user == "real.web1")
        #expect(try resolved("", options: ["User=%u"]).user == "me")
        #expect(try resolved("User x", user: "%u").user == "%u")
        #expect(try resolved("User %u\nMatch user %u\nPort 7").port == 7)
        #expect(try resolved("User %u\nSetEnv A=%r@%h B=${WHO} C=%%").values("setenv") == ["A=me@web1", "B=%h", "C=%"])
    }

    @Test("tokens of sockets that are forwarded") func tokensOfSocketsThatAreForwarded() throws {
        let text = "LocalForward 99 /x/%h.%p\nRemoteForward /r/%r h:22\nLocalForward 98 h%%:1\nDynamicForward 1080"
        let resolved = try ConfigurationRuleTests.resolve(text)
        #expect(resolved.values("localforward").first == "99 /x/web1.22")
        #expect(resolved.values("localforward").last?.contains("h%%") == true)
        #expect(resolved.values("remoteforward") == ["/r/me [h]:22"])
        let mixed = try ConfigurationRuleTests.resolve("LocalForward /x/%r %h:80").values("localforward")
        #expect(mixed == ["/x/me [%h]:80"])
        #expect(throws: SSHConfigProblem.self) { try ConfigurationRuleTests.resolve("LocalForward 99 /x/%z") }
    }

    @Test("a user name made from tokens is checked like a written one") func aUserThatTokensMakeIsCheckedAsOneThatIsWritten()
        throws
    {
        #expect(throws: SSHConfigProblem.self) {
            try ConfigurationRuleTests.resolve("User ${EVIL}") { $0.variable = { _ in "-x" } }
        }
        #expect(throws: SSHConfigProblem.self) {
            try ConfigurationRuleTests.resolve("User ${EVIL}") { $0.variable = { _ in "a\nb" } }
        }
    }

    @Test("the last jump host is its token") func theLastJumpHostIsItsToken() throws {
        let resolved = try ConfigurationRuleTests.resolve("ProxyJump u@a:1,v@b:2\nControlPath /x/%j\nRevokedHostKeys /r/%j")
        #expect(resolved.value("controlpath") == "/x/b" && resolved.value("revokedhostkeys") == "/r/b")
        #expect(try ConfigurationRuleTests.resolve("ProxyJump none\nControlPath /x/%j").value("controlpath") == "/x/")
        let direct = try ConfigurationRuleTests.resolve("ControlPath %C")
        #expect(
            try ConfigurationRuleTests.resolve("ProxyJump b\nControlPath %C").value("controlpath") != direct.value("controlpath"))
    }

    @Test("includes have tokens and variables") func includesHaveTokensAndVariables() throws {
        var context = ConfigurationRuleTests.context(["/c": "Include /d/%n-${X}\n", "/d/web1-y": "Port 7\n"])
        context.variable = { $0 == "X" ? "y" : nil }
        #expect(try SSHConfigFile(context: context, source: .file("/c")).resolve(host: "web1").port == 7)
    }

    @Test("An Include of something that cannot be named is left out, with a notice", arguments: ["${NOT_SET}/x", "~nobody/x"])
    func emptyInclude(path: String) throws {
        let context = ConfigurationRuleTests.context(["/c": "Include \(path)\nPort 7\n"])
        let resolved = try SSHConfigFile(context: context, source: .file("/c")).resolve(host: "web1")
        #expect(resolved.port == 7)
        #expect(resolved.unknownLines.map(\.line) == [1])
    }

    // MARK: Unknown lines

    @Test("an unknown keyword is skipped with its place") func anUnknownKeywordIsLeftOutWithItsPlace() throws {
        let resolved = try ConfigurationRuleTests.resolve("Colour blue\nPort 7\nHost other\nZap yes\nStrictZap yes\n")
        #expect(resolved.port == 7)
        #expect(resolved.unknownLines.map { "\($0)" } == ["/c:1: the keyword colour is unknown and has no effect"])
        #expect(resolved.unknownLinesElsewhere.map(\.line) == [4, 5])
        let again = try ConfigurationRuleTests.resolve("Match final\nHost *\nColour blue\n")
        #expect(again.unknownLines.count == 1)
        #expect(try ConfigurationRuleTests.resolve("IgnoreUnknown Col*\nColour blue\n").unknownLines == [])
    }

    @Test("a byte order mark is named", arguments: ["Host web1", "Port 7", "Colour blue"]) func byteOrderMark(line: String) throws
    {
        let problem = try #require(throws: SSHConfigProblem.self) {
            try ConfigurationRuleTests.resolve("\u{FEFF}\(line)\nPort 7\n")
        }
        #expect(problem.line == 1 && problem.problem.contains("byte order mark"), "\(problem)")
    }

    /// Lines whose omission could make a connection less safe, or that may be mistakes.
    @Test(
        "an unknown keyword that may concern security is refused",
        arguments: [
            "HostKeyPinning yes", "RequireTouch yes", "PostQuantumKex only", "StrictHostKeyCheking yes", "Usr root", "Prot 22",
            "ProxyJmp x",
            "DenyAgent yes", "VerifyEverything yes", "HostNam x",
        ])
    func anUnknownKeywordThatMayConcernSecurityIsRefused(text: String) throws {
        let problem = try #require(throws: SSHConfigProblem.self) { try ConfigurationRuleTests.resolve(text) }
        #expect(problem.line == 1 && problem.problem.contains("IgnoreUnknown"), "\(problem)")
    }

    @Test(
        "an algorithm that SSH does not know is named",
        arguments: [
            ("Ciphers aes128-ctr,bogus", "ssh knows no cipher bogus"), ("MACs +bogus", "ssh knows no MAC bogus"),
            ("KexAlgorithms ^bogus", "ssh knows no key exchange method bogus"),
            ("HostKeyAlgorithms bogus", "ssh knows no key algorithm bogus"), ("Ciphers +", "+ names no cipher"),
        ])
    func anAlgorithmThatSSHDoesNotKnowIsNamed(text: String, problem: String) throws {
        let found = try #require(throws: SSHConfigProblem.self) { try ConfigurationRuleTests.resolve("User x\n" + text) }
        #expect(found.line == 2 && found.problem == problem, "\(found)")
    }

    @Test("an unknown option is refused") func anUnknownOptionIsRefused() {
        #expect(throws: SSHConfigProblem.self) { try ConfigurationRuleTests.resolve("", options: ["Colour=blue"]) }
    }

    @Test(
        "known keywords of later versions and other vendors",
        arguments: [
            "UseKeychain yes", "WarnWeakCrypto no", "WarnWeakCrypto no-pq-kex", "EnableEscapeCommandline yes",
            "RequiredRSASize 2048",
            "RSAMinSize 2048", "VersionAddendum x", "ChannelTimeout session=5m", "ObscureKeystrokeTiming interval:80",
            "SetupTimeOut 5",
        ])
    func knownKeywordsOfLaterVersionsAndOtherVendors(text: String) throws {
        #expect(try ConfigurationRuleTests.resolve(text).unknownLines == [])
    }

    @Test("RefuseConnection is not an invalid line") func aRefusalIsNoMistake() throws {
        let resolved = try ConfigurationRuleTests.resolve(
            "Host web1\n RefuseConnection use web2 instead\nHost other\n RefuseConnection no\n")
        let refusal = try #require(resolved.refusal)
        #expect(refusal.problem == "use web2 instead" && refusal.line == 2 && refusal.refusedHost == "web1")
        #expect(refusal.failure.code == .localRefusedByConfig)
        #expect(try ConfigurationRuleTests.resolve("Host x\nRefuseConnection y").refusal == nil)
        let context = ConfigurationRuleTests.context(["/c": "RefuseConnection \"not today\""])
        let error = try #require(throws: SSHError.self) {
            try SSHConfigFile(context: context, source: .file("/c")).resolve("web1")
        }
        #expect(error.code == .localRefusedByConfig && error.evidence.host == "web1")
    }

    // MARK: Canonical names

    @Test(
        "canonical names",
        arguments: [
            ("CanonicalizeHostname yes\nCanonicalDomains a.test b.test", "web1.b.test"),
            ("CanonicalizeHostname no\nCanonicalDomains b.test", "web1"),
            ("CanonicalizeHostname yes\nCanonicalDomains b.test\nProxyJump x", "web1"),
            ("CanonicalizeHostname always\nCanonicalDomains b.test\nProxyJump x", "web1.b.test"),
            ("CanonicalizeHostname yes\nCanonicalDomains x.test", "web1"),
            ("CanonicalizeHostname yes\nCanonicalDomains x.test\nCanonicalizeFallbackLocal no", nil),
            ("CanonicalizeHostname yes\nHostName a.b.c\nCanonicalDomains b.test", "a.b.c"),
            ("CanonicalizeHostname yes\nHostName a.b.c\nCanonicalizeMaxDots 2\nCanonicalDomains b.test", "a.b.c.b.test"),
            (
                "CanonicalizeHostname yes\nCanonicalDomains b.test\nCanonicalizePermittedCNAMEs *.b.test:*.cdn.test",
                "real.cdn.test"
            ),
            ("CanonicalizeHostname yes\nCanonicalDomains b.test\nCanonicalizePermittedCNAMEs *.b.test:*.other", "web1.b.test"),
            ("CanonicalizeHostname yes\nHostName 127.1\nCanonicalDomains b.test", "127.0.0.1"),
            ("CanonicalizeHostname yes\nHostName web1.b.test.", "web1.b.test"),
            ("CanonicalizeHostname yes\nCanonicalDomains slow.test", nil),
            ("CanonicalizeHostname yes\nCanonicalDomains b.test\nHost *.b.test\nHostName late", "web1.b.test"),
        ])
    func canonicalNames(text: String, name: String?) throws {
        let known = ["web1.b.test.": "real.cdn.test", "a.b.c.b.test.": "a.b.c.b.test"]
        let resolve = {
            try ConfigurationRuleTests.resolve(text) {
                $0.lookUp = { name in
                    if name.hasSuffix("slow.test.") { return .timedOut }
                    return known[name].map { .found(canonicalName: $0) } ?? .notFound
                }
            }.hostName
        }
        guard let name else {
            #expect(throws: SSHConfigProblem.self) { try resolve() }
            return
        }
        #expect(try resolve() == name)
    }

    /// Stanzas for the resulting name apply.
    @Test("for a canonical name the files are read again") func aCanonicalNameHasTheFilesReadAgain() throws {
        let text =
            "CanonicalizeHostname yes\nCanonicalDomains b.test\nMatch canonical host web1.b.test\nPort 7\nHost *.b.test\nUser late\n"
        let resolved = try ConfigurationRuleTests.resolve(text) { $0.lookUp = { _ in .found(canonicalName: "") } }
        #expect(resolved.port == 7 && resolved.user == "late" && resolved.hostName == "web1.b.test")
    }
}
