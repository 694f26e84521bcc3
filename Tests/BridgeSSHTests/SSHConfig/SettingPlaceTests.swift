import BridgeSSH
import Testing

/// The setting that caused a failure.
@Suite("The setting that caused a failure")
struct SettingPlaceTests {
    private static func configuration(_ text: String) throws -> SSHConnectionConfiguration {
        var configuration = SSHConnectionConfiguration()
        let context = ConfigurationRuleTests.context([:])
        try configuration.apply(ConfigurationRuleTests.resolve(text), context: context, canAsk: false)
        return configuration
    }

    private static let exhausted = SSHEvidence(event: .credentialsExhausted, stage: .authentication)

    private static func noCipher(server: [String]) -> SSHEvidence {
        var evidence = Seen.algorithms { $0.cipherToServer = server }
        evidence.clientAlgorithms?.cipherToServer = ["3des-cbc"]
        return evidence
    }

    @Test("a list of algorithms is the cause only if the default list would have worked")
    func algorithms() throws {
        let configuration = try Self.configuration("Ciphers 3des-cbc\n")
        let setting = try #require(configuration.setting(behind: Self.noCipher(server: ["aes256-ctr", "x"])))
        #expect(setting.keyword == "Ciphers")
        #expect(setting.place.hasSuffix(":1"))
        #expect(setting.excluded == ["aes256-ctr"])
        #expect(configuration.setting(behind: Self.noCipher(server: ["x"])) == nil)
        #expect(SSHConnectionConfiguration().setting(behind: Self.noCipher(server: ["aes256-ctr"])) == nil)
    }

    @Test("publickey turned off")
    func methods() throws {
        let off = try Self.configuration("User alice\nPubkeyAuthentication no\n")
        #expect(off.setting(behind: Self.exhausted)?.keyword == "PubkeyAuthentication")
        #expect(off.setting(behind: Self.exhausted)?.place.hasSuffix(":2") == true)
        let preferred = try Self.configuration("PreferredAuthentications password\n")
        #expect(preferred.setting(behind: Self.exhausted)?.keyword == "PreferredAuthentications")
        let on = try Self.configuration("PubkeyAuthentication yes\nPreferredAuthentications publickey,password\n")
        #expect(on.setting(behind: Self.exhausted) == nil)
    }

    @Test("an identity is reported with the line that names it")
    func identities() throws {
        let configuration = try Self.configuration("IdentityFile /a\nIdentityFile /b\n")
        func place(_ path: String) -> String? {
            let problem = SSHKeyProblem(reason: .notFound, path: path, detail: "")
            return configuration.setting(behind: SSHEvidence(event: .keyUnusable(problem), stage: .key))?.place
        }
        #expect(place("/a")?.hasSuffix(":1") == true)
        #expect(place("/b")?.hasSuffix(":2") == true)
        #expect(place("/c") == nil)
    }
}
