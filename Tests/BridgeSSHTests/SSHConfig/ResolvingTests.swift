import BridgeSSH
import SSHTestSupport
import Testing

/// From a name in ssh's configuration to an endpoint and configuration, in one call.
@Suite struct ResolvingTests {
    private static func resolve(_ name: String, _ text: String) async throws -> (
        endpoint: SSHEndpoint, configuration: SSHConnectionConfiguration
    ) {
        try await ScratchDirectory.with { directory in
            let file = try directory.write(text, to: "config")
            let context = SSHConfigContext(home: "/home/ann", localUser: "ann", userID: 1, localHostName: "here")
            return try SSHConfigFile(context: context, source: .file(file)).resolve(name)
        }
    }

    private static let text = """
        Host inner
          HostName 10.0.0.7
          Port 2222
          User deploy
          ProxyJump gate
          IdentityFile /keys/deploy
        Host gate
          HostName gate.example
          User ann
          ConnectTimeout 4
        """

    @Test("a name with a jump host gives the endpoints of both") func aHostBehindAnother() async throws {
        let (endpoint, configuration) = try await Self.resolve("inner", Self.text)
        #expect(endpoint.description == "deploy@10.0.0.7:2222")
        #expect(configuration.credentials.identities.map(\.path) == ["/keys/deploy"])
        let gate = try #require(configuration.jumpHosts.first)
        #expect(configuration.jumpHosts.count == 1 && gate.endpoint.description == "ann@gate.example:22")
        #expect(gate.connectTimeout == .seconds(4) && gate.configuration.jumpHosts.isEmpty)
        #expect(try await Self.resolve("bob@other:23", Self.text).endpoint.description == "bob@other:23")
    }

    @Test("a device is not included") func device() async throws {
        let error = try await #require(throws: SSHError.self) { _ = try await Self.resolve("a", "Include /dev/zero\n") }
        #expect(error.message.contains("/dev/zero cannot be read: it is not a regular file"), "\(error.message)")
    }

    @Test("a directory cannot be named as a file; as in ssh, an included one has no lines") func directory() async throws {
        let error = try #require(throws: SSHError.self) {
            try SSHConfigFile(context: .process(), source: .file("/usr")).resolve("a@web1")
        }
        #expect(error.code == .localConfigInvalid && error.message.contains("/usr"), "\(error.message)")
        #expect(try await Self.resolve("a@web1", "Include /usr\nPort 23\n").endpoint.description == "a@web1:23")
    }

    @Test("an invalid configuration is an SSHError") func whatIsWrongIsAnSSHError() async throws {
        let cases: [(String, String, SSHError.Code)] = [
            ("a", "Host a\n  Port x\n", .localConfigInvalid),
            ("a", "Host a\n  ProxyJump b\nHost b\n  ProxyJump a\n", .localConfigInvalid),
            ("a b", "", .resolveHostNameInvalid), ("a:0", "", .localUsage),
        ]
        for (name, text, code) in cases {
            let error = try await #require(throws: SSHError.self) { _ = try await Self.resolve(name, text) }
            #expect(error.code == code, "\(name): \(error.message)")
        }
    }
}
